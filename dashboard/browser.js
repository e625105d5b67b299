// What the page does between two runs: it names its pictures, takes a sharpness that was moved
// inside a picture back to the server once the hand lets go, and greets a server that came back.

const RANGE = ".vega-bind input[name='beta']";
const PAUSE = 800; // milliseconds after the last key: the hand has let go

let leave = () => {};

export default function ({ data, setTriggerValue }) {
  leave();
  const { names, live, given } = data;
  const stage = live && document.querySelector(`.st-key-${CSS.escape(live)}`);
  let asked = given;
  let timer;

  // Pictures: a name in the drawing itself would make the platform draw it anew at every change.
  // They stand in the page in the order in which they were shown.
  const name = () => {
    const drawn = document.querySelectorAll('[data-testid="stVegaLiteChart"]');
    const said = Object.values(names);
    if (drawn.length !== said.length) return; // the page is still on its way
    drawn.forEach((picture, i) => {
      if (picture.getAttribute("aria-label") === said[i]) return;
      picture.setAttribute("role", "graphics-document");
      picture.setAttribute("aria-label", said[i]);
    });
  };
  let due = false;
  const soon = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      name();
    });
  };
  const watcher = new MutationObserver(soon);
  watcher.observe(document.querySelector("section[data-testid='stMain']") ?? document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["aria-label"],
  });
  name();

  // A server that came back, or another one, knows nobody: ask it for this view before a hand moves.
  const app = document.querySelector('[data-testid="stApp"]');
  const connected = () => app?.dataset.testConnectionState === "CONNECTED";
  let there = connected();
  const line = new MutationObserver(() => {
    if (connected() && !there) setTriggerValue("back", true);
    there = connected();
  });
  if (app) line.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });

  // Sharpness: read where the picture writes it, in full, beside its control.
  const reading = () => {
    const range = stage?.querySelector(RANGE);
    return range ? Number(range.nextElementSibling.textContent) : given;
  };
  const follow = () => document.body.classList.toggle("moving", reading() !== given);
  const commit = () => {
    clearTimeout(timer);
    const now = reading();
    if (now === asked || !(now >= 0 && now <= 16)) return;
    asked = now;
    setTriggerValue("sharpness", now);
  };
  const control = (event) => event.target instanceof Element && event.target.matches(RANGE);
  const on = {
    // The picture takes the pointer's last place in the frame after it.
    pointerup: () => requestAnimationFrame(commit),
    pointercancel: () => requestAnimationFrame(commit),
    pointermove: (event) => event.buttons && follow(),
    input: (event) => control(event) && requestAnimationFrame(follow),
    keydown: (event) => {
      if (!control(event)) return;
      clearTimeout(timer);
      if (event.key === "Enter") commit();
    },
    keyup: (event) => {
      if (control(event)) timer = setTimeout(commit, PAUSE);
    },
    focusout: (event) => control(event) && commit(),
  };

  // The slider of the page moves the picture at once; its numbers come from the server after it.
  const slider = document.querySelector(".st-key-sharpness input[type='range']");
  const slid = new MutationObserver(() => {
    const range = stage?.querySelector(RANGE);
    // As it is told, in four digits; the value itself is rounded to a step.
    const value = Number(slider.getAttribute("aria-valuetext"));
    const held = slider === document.activeElement && !slider.disabled;
    if (!range || !held || value === reading() || value === Number(given.toPrecision(4))) return;
    asked = value; // the slider itself tells the server
    const step = range.step;
    range.step = "any"; // a link may have brought a sharpness between two steps
    range.value = value;
    range.dispatchEvent(new Event("input", { bubbles: true }));
    range.step = step;
  });
  if (slider && stage) slid.observe(slider, { attributes: true });

  const stop = new AbortController();
  if (stage) {
    for (const [kind, act] of Object.entries(on)) {
      window.addEventListener(kind, act, { signal: stop.signal });
    }
  }
  follow();

  leave = () => {
    clearTimeout(timer);
    watcher.disconnect();
    line.disconnect();
    slid.disconnect();
    stop.abort();
    document.body.classList.remove("moving");
  };
  return leave;
}
