// What the page does between two runs: it names its pictures, leads their sharpness, and takes one
// that was moved inside a picture back to the server once the hand lets go. The menu and the link
// that is folded away keep up.

const RANGE = ".vega-bind input[name='beta']";
const BEYOND = "16.0001"; // what stands for the limit of endless sharpness, as in `live.py`
const SPOT = ".spot_marks"; // the cell under the pointer, as `charts/bitmap.py` names it
const FOLDED_LINK = ".st-key-folded_link code";
const MENU = '[data-testid="stPageLink-NavLink"]';
const XLINK = "http://www.w3.org/1999/xlink";
const MOMENT = 150; // milliseconds
const PAUSE = 800; // milliseconds after the last key: the hand has let go
const PATIENCE = 3000; // milliseconds in which the server answers a sharpness sent to it

let leave = () => {};
let hand = ""; // "pointer" or "keys" while it has hold of the picture, which is then ahead
const linked = new WeakMap(); // links of the menu: the address they have, and as it was drawn
let sent = null; // the sharpness last taken to the server, and when

let complained = ""; // the query of an address that never came to the server

export default function ({ data, setTriggerValue }) {
  const stoodBack = document.body.classList.contains("moving");
  leave();
  const { names, live, given, texts, address, shared, parameters } = data;
  const stage = live && document.querySelector(`.st-key-${CSS.escape(live)}`);
  let asked = given;
  let timer;
  let ours = false; // this script moves the control, not a hand
  let led = []; // the controls that were told the server's sharpness

  // Pictures: a name in the drawing itself would make the platform draw it anew at every change.
  // They stand in the page in the order in which they were shown, each in a frame, which stays
  // where a reader asks the platform for the data in place of the picture.
  const FRAME = '[data-testid="stFullScreenFrame"]';
  const name = () => {
    const frames = document.querySelectorAll(`${FRAME}:not(${FRAME} ${FRAME})`);
    const said = Object.values(names);
    if (frames.length !== said.length) return; // the page is still on its way
    frames.forEach((frame, i) => {
      const picture = frame.querySelector('[data-testid="stVegaLiteChart"]');
      if (!picture || picture.getAttribute("aria-label") === said[i]) return;
      if (picture.role !== "graphics-document") picture.setAttribute("role", "graphics-document");
      picture.setAttribute("aria-label", said[i]);
    });
  };
  // An image is empty until it was fetched and all is drawn again. What it is to show is in its
  // address, so it is shown at once; nothing flashes.
  const fill = (image, last = "") => {
    const address = image.__data__?.url ?? last;
    if (address && !image.href.baseVal) image.setAttributeNS(XLINK, "href", address);
  };
  const keeper = new MutationObserver((changes) => {
    for (const { target, attributeName, oldValue } of changes) {
      if (attributeName === "href") fill(target, oldValue);
    }
  });
  // The cell of an image is found after the pointer has moved, and would tell at its next move.
  let pointer = [-1, -1];
  const teller = new MutationObserver(() => {
    if (!document.querySelector(`${SPOT} path`)) return;
    const [clientX, clientY] = pointer;
    const cell = document.elementFromPoint(clientX, clientY);
    if (!cell?.closest(SPOT)) return;
    cell.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX, clientY }));
  });
  const images = () => {
    for (const image of document.querySelectorAll('[data-testid="stVegaLiteChart"] image')) {
      fill(image);
      keeper.observe(image, { attributes: true, attributeOldValue: true });
    }
    for (const spot of document.querySelectorAll(SPOT)) {
      teller.observe(spot, { attributes: true, childList: true, subtree: true });
    }
  };
  let due = false;
  const soon = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      name();
      lead();
    });
  };
  // A step of a live drawing changes marks by the hundred, and brings nothing to be named.
  const drawn = ({ target }) => target instanceof SVGElement;
  const IMAGE = `image, ${SPOT}`;
  const brings = ({ addedNodes }) =>
    [...addedNodes].some((node) => node.matches?.(IMAGE) || node.querySelector?.(IMAGE));
  const watcher = new MutationObserver((changes) => {
    const onPage = !changes.every(drawn);
    if (onPage || changes.some(brings)) images(); // before anything is painted
    if (onPage) soon();
  });
  watcher.observe(document.querySelector("section[data-testid='stMain']") ?? document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["aria-label"],
  });

  // Sharpness: read where the picture writes it, in full, beside its control.
  const shown = (range) => {
    const told = range.nextElementSibling;
    if (told.textContent === BEYOND) told.textContent = "∞"; // a number that only stands for it
    return Number(told.textContent === "∞" ? BEYOND : told.textContent);
  };
  const reading = () => {
    const range = (stage ?? document).querySelector(RANGE);
    return range ? shown(range) : given;
  };
  let behind; // what waits for the server stands back, but not for a moment
  const follow = (after = MOMENT) => {
    if (reading() === given) rest();
    else behind ??= setTimeout(() => document.body.classList.add("moving"), after);
  };
  const rest = () => {
    behind = clearTimeout(behind);
    document.body.classList.remove("moving");
  };
  const commit = () => {
    clearTimeout(timer);
    hand = "";
    const now = reading();
    if (now === asked || !(now >= 0 && now <= 16)) return;
    asked = now;
    sent = { value: now, at: performance.now() };
    setTriggerValue("sharpness", now);
  };
  const put = (value) => {
    ours = true;
    for (const range of document.querySelectorAll(RANGE)) {
      if (value === shown(range)) continue;
      const { step, max } = range;
      range.step = "any"; // a link may have brought a sharpness between two steps, or the limit
      range.max = Math.max(value, max);
      range.value = value;
      range.dispatchEvent(new Event("input", { bubbles: true }));
      range.step = step;
      range.max = max;
    }
    ours = false;
  };
  const pause = () => {
    hand ||= "keys";
    clearTimeout(timer);
    if (hand === "keys") timer = setTimeout(commit, PAUSE);
  };
  const control = (event) => event.target instanceof Element && stage.contains(event.target) && event.target.matches(RANGE);
  const on = {
    // The picture takes the pointer's last place in the frame after it.
    pointerup: () => requestAnimationFrame(commit),
    pointercancel: () => requestAnimationFrame(commit),
    pointerdown: (event) => {
      hand = event.target instanceof Node && stage.contains(event.target) ? "pointer" : "";
    },
    pointermove: (event) => event.buttons && follow(),
    input: (event) => {
      if (!control(event)) return;
      requestAnimationFrame(() => follow());
      if (!ours) pause();
    },
    keydown: (event) => {
      if (!control(event)) return;
      clearTimeout(timer);
      if (event.key === "Enter") commit();
    },
    keyup: (event) => control(event) && hand && pause(),
    focusout: (event) => control(event) && commit(),
  };

  // The slider of the page moves the picture at once; its numbers come from the server after it.
  // It is looked for each time: the platform may put another in its place after this ran.
  const held = () => {
    const slider = document.querySelector(".st-key-sharpness input[type='range']");
    return slider && slider === document.activeElement && !slider.disabled ? slider : null;
  };
  // As it is told, in four digits; the value itself is rounded to a step.
  const told = () => Number(held()?.getAttribute("aria-valuetext") ?? given);
  const ahead = () => held() && told() !== Number(given.toPrecision(4));
  const slid = new MutationObserver(() => {
    if (!held()) return;
    const now = ahead() ? told() : given; // back where it was, too
    if (now === reading()) return;
    asked = now; // the slider itself tells the server
    put(now);
  });
  slid.observe(document.body, { subtree: true, attributes: true, attributeFilter: ["aria-valuetext"] });

  // The server's sharpness leads every picture that moves by itself, once each, unless a hand is
  // ahead of it; and what else it tells them.
  function lead() {
    for (const [name, text] of Object.entries(texts)) {
      for (const field of document.querySelectorAll(`.vega-bind input[name='${name}']`)) {
        if (field.value === text) continue;
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
    const ranges = [...document.querySelectorAll(RANGE)];
    if (ranges.every((range) => led.includes(range))) return;
    led = ranges;
    const onItsWay = sent && sent.value !== given && performance.now() - sent.at < PATIENCE;
    if (hand || onItsWay || ahead()) return;
    sent = null;
    put(given);
  }

  // The menu is drawn with the whole page; a sharpness that moved since is told here alone.
  const now = String(new URLSearchParams(address));
  const menu = () => {
    for (const link of document.querySelectorAll(MENU)) {
      const is = link.getAttribute("href");
      const drawn = linked.get(link)?.ours === is ? linked.get(link).drawn : is;
      const to = new URL(drawn.split("?")[0] || ".", location.href); // empty for the front page
      to.search = now;
      link.href = to.href;
      linked.set(link, { ours: to.href, drawn });
    }
  };
  // What the platform would open is the link as it was drawn; so it is led there as by the history.
  const turn = (event) => {
    const link = event.target instanceof Element && event.target.closest(MENU);
    if (!link) return;
    menu();
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
      event.stopPropagation(); // the browser opens a tab or a window of its own
      return;
    }
    const { ours, drawn } = linked.get(link);
    if (String(new URLSearchParams(drawn.split("?")[1] ?? "")) === now) return;
    event.preventDefault();
    event.stopPropagation();
    history.pushState({}, "", ours);
    window.dispatchEvent(new PopStateEvent("popstate"));
  };

  // The server drops a query that is too long for it, or has too many parameters, without a word.
  const complain = () => {
    const here = new URLSearchParams(location.search);
    for (const own of ["embed", "embed_options"]) here.delete(own);
    if (parameters || !String(here) || complained === location.search) return;
    complained = location.search;
    setTriggerValue("unread", [...here].length);
  };

  const stop = new AbortController();
  const moved = ({ clientX, clientY }) => (pointer = [clientX, clientY]);
  window.addEventListener("pointermove", moved, { signal: stop.signal, capture: true });
  window.addEventListener("click", turn, { signal: stop.signal, capture: true });
  if (stage) {
    for (const [kind, act] of Object.entries(on)) {
      window.addEventListener(kind, act, { signal: stop.signal });
    }
  }
  for (const code of document.querySelectorAll(FOLDED_LINK)) code.textContent = shared;
  name();
  images();
  lead();
  menu();
  complain();
  follow(stoodBack ? 0 : MOMENT);
  if (hand === "keys") pause(); // a run came in between

  leave = () => {
    clearTimeout(timer);
    watcher.disconnect();
    keeper.disconnect();
    teller.disconnect();
    slid.disconnect();
    stop.abort();
    rest();
  };
  return leave;
}
