"""Everything a person sees: pages, charts, controls, and what a link remembers."""
