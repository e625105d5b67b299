"""How the dashboard is hosted: the server, the settings of the proxy, and a check of both."""
