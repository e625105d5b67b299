// A server that came back, or another one, knows nobody: ask it for this view before a hand moves.

let leave = () => {};

export default function ({ setTriggerValue }) {
  leave();
  const app = document.querySelector('[data-testid="stApp"]');
  const connected = () => app?.dataset.testConnectionState === "CONNECTED";
  let there = connected();
  const line = new MutationObserver(() => {
    if (connected() && !there) setTriggerValue("back", true);
    there = connected();
  });
  if (app) line.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
  leave = () => line.disconnect();
  return leave;
}
