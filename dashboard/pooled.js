// The matrices of a long text in blocks, worked out where they are looked at: they follow the
// slider without a word from the server. What `core` says of the same reads is the reference, and
// the texts handed to the drawings are those of `charts/blocks_text.py`.

const BETA = "input[name='beta']"; // the sharpness that the page leads
const DRAWN = ".vega-bind input[name='drawn']"; // the text, in the same form
const BEYOND = 16.0001; // stands for the limit of endless sharpness, as in `charts/live.py`
const STEPS = 254; // bytes 1 … 255 are the colours, 0 is a block that is not there
const TIED = 8 * 2 ** -23; // shares of a score within which it ties with the largest, in float32
const NOTHING = -40; // exp of less adds nothing to a sum that is 1 or more

const PATIENCE = 10_000; // milliseconds for which a page that was left may come back

let leave = () => {};
let held = null; // what was asked for last, and what was worked out for it
let forgetting;

export default function ({ data }) {
  leave();
  clearTimeout(forgetting);
  const { pictures } = data;
  const asked = JSON.stringify(data);
  // A page that is drawn anew mostly asks for the same.
  if (held?.asked !== asked) {
    held = null; // before there is more
    const reads = data.reads.map((read) => reader(read, data.causal));
    // The sharpness of the weights that the reads hold; and that which a control was told.
    held = { asked, reads, known: null, done: new WeakMap() };
  }
  const { reads, done } = held;

  const draw = () => {
    const controls = document.querySelectorAll(DRAWN); // in the order of the page, as `pictures`
    if (controls.length !== pictures.length) return; // the page is still on its way
    controls.forEach((drawn, i) => {
      const told = drawn.closest("form").querySelector(BETA)?.nextElementSibling.textContent;
      if (!told || done.get(drawn) === told) return;
      done.set(drawn, told);
      if (held.known !== told) {
        const beta = told === "∞" ? BEYOND : Number(told);
        for (const read of reads) weigh(read, beta);
        held.known = told;
      }
      drawn.value = text(pictures[i], reads, data);
      drawn.dispatchEvent(new Event("input", { bubbles: true }));
    });
  };
  // A drawing takes the sharpness first, and writes it beside its control.
  const moved = ({ target }) => target instanceof Element && target.matches(`.vega-bind ${BETA}`) && draw();
  document.addEventListener("input", moved);
  // They are not there yet, or others have taken their places.
  const watcher = new MutationObserver(draw);
  watcher.observe(document.querySelector("section[data-testid='stMain']") ?? document.body, {
    childList: true,
    subtree: true,
  });
  draw();

  leave = () => {
    document.removeEventListener("input", moved);
    watcher.disconnect();
    clearTimeout(forgetting);
    forgetting = setTimeout(() => (held = null), PATIENCE); // megabytes, for a long text
  };
  return leave;
}

// Where blocks of n positions begin, and n, as `core.pooling.edges` has them.
function edges(n, most) {
  const blocks = Math.min(n, most);
  return Array.from({ length: blocks + 1 }, (_, block) => Math.floor((block * n) / blocks));
}

function numbers(base64) {
  const octets = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Float32Array(octets.buffer);
}

// What does not move with the sharpness: how far each score is from the top of its row. Without a
// mask, tokens that ask for the same are told once: `rows` says which is whose.
function reader({ queries, keys, size }, causal) {
  const [q, k] = [numbers(queries), numbers(keys)];
  const n = k.length / size;
  const vector = (row) => q.subarray(row * size, row * size + size);
  const [known, rows, kinds] = [new Map(), new Uint16Array(n), []];
  for (let row = 0; row < n; row++) {
    const name = causal ? row : vector(row).join(" ");
    if (!known.has(name)) known.set(name, kinds.push(row) - 1);
    rows[row] = known.get(name);
  }
  const gaps = new Float32Array(kinds.length * n);
  const tied = new Float64Array(kinds.length);
  const scores = new Float64Array(n);
  kinds.forEach((row, kind) => {
    const [asks, usable] = [vector(row), causal ? row + 1 : n];
    let top = -Infinity;
    for (let key = 0; key < usable; key++) {
      let score = 0;
      for (let at = 0; at < size; at++) score += asks[at] * k[key * size + at];
      scores[key] = score / Math.sqrt(size);
      if (scores[key] > top) top = scores[key];
    }
    for (let key = 0; key < usable; key++) gaps[kind * n + key] = scores[key] - top;
    tied[kind] = -TIED * Math.abs(top);
  });
  const weights = new Float32Array(gaps.length);
  return { n, causal, rows, gaps, tied, weights, spread: new Float64Array(kinds.length) };
}

const FINE = 64; // tabulated exponentials between two whole numbers
const EXPONENTIALS = Float64Array.from({ length: FINE * -NOTHING + 1 }, (_, i) => Math.exp(-i / FINE));

// exp(x) for NOTHING < x <= 0, to 2e-10 of itself, in a third of the time of Math.exp.
function exp(x) {
  const i = (0.5 - FINE * x) | 0;
  const left = x + i / FINE;
  return EXPONENTIALS[i] * (1 + left * (1 + left * (1 / 2 + left / 6)));
}

// The weights of a read, and how far each row lies from copy, 0, to blend, 1.
function weigh({ n, causal, gaps, tied, weights, spread }, beta) {
  const hard = beta >= BEYOND;
  const masses = new Float64Array(n);
  for (let row = 0; row < spread.length; row++) {
    const [start, usable] = [row * n, causal ? row + 1 : n];
    let [total, pull] = [0, 0];
    for (let key = 0; key < usable; key++) {
      const gap = hard ? (gaps[start + key] >= tied[row] ? 0 : NOTHING) : beta * gaps[start + key];
      const mass = gap > NOTHING ? exp(gap) : 0;
      masses[key] = mass;
      total += mass;
      pull += gap * mass;
    }
    const share = 1 / total;
    for (let key = 0; key < usable; key++) weights[start + key] = masses[key] * share;
    const nats = Math.max(Math.log(total) - pull / total, 0);
    spread[row] = usable < 2 ? NaN : Math.min(nats / Math.log(usable), 1);
  }
}

function text({ read, less, back, masked, bands: banded }, reads, { causal, how, back: places, pixels, few }) {
  const { n, rows: kinds, spread: spreads } = reads[read];
  const at = edges(n, pixels);
  const size = at.length - 1;
  const signed = less !== null;
  const rows = back ? putBack(reads[read], places) : given(reads[read]);
  const blocks = pooled(n, at, signed ? difference(n, rows, given(reads[less])) : rows, how);
  if (causal && masked) blank(blocks, at);
  const words = [octets(blocks, size, n, signed)];
  if (!banded) return words[0];
  words.push(size > few ? octets(fewer(blocks, size, few, how), few, n, signed) : "-");
  return [...words, ...bands(Float64Array.from(kinds, (kind) => spreads[kind]), at)].join(" ");
}

// Three ways to tell a row of a matrix; the last may stand in one place from row to row.
const given = ({ n, rows, weights }) => (row) => weights.subarray(rows[row] * n, rows[row] * n + n);

function putBack({ n, rows, weights }, places) {
  const told = new Float32Array(n);
  return (row) => {
    const start = rows[places[row]] * n;
    for (let key = 0; key < n; key++) told[key] = weights[start + places[key]];
    return told;
  };
}

function difference(n, later, earlier) {
  const told = new Float32Array(n);
  return (row) => {
    const [after, before] = [later(row), earlier(row)];
    for (let key = 0; key < n; key++) told[key] = after[key] - before[key];
    return told;
  };
}

// Of each block the cell that is largest in size, with its sign, or the mean.
function pooled(n, edges, rows, how) {
  const size = edges.length - 1;
  const blocks = new Float64Array(size * size);
  for (let block = 0; block < size; block++) {
    const start = block * size;
    for (let row = edges[block]; row < edges[block + 1]; row++) {
      const cells = rows(row);
      for (let column = 0, key = 0; column < size; column++) {
        let found = blocks[start + column];
        const until = edges[column + 1];
        if (how === "mean") for (; key < until; key++) found += cells[key];
        else for (; key < until; key++) if (Math.abs(cells[key]) > Math.abs(found)) found = cells[key];
        blocks[start + column] = found;
      }
    }
    if (how !== "mean") continue;
    const height = edges[block + 1] - edges[block];
    for (let column = 0; column < size; column++) {
      blocks[start + column] /= height * (edges[column + 1] - edges[column]);
    }
  }
  return blocks;
}

// A block that holds no cell on or below the diagonal is not there under a causal mask.
function blank(blocks, edges) {
  const size = edges.length - 1;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (edges[column] >= edges[row + 1]) blocks[row * size + column] = NaN;
    }
  }
}

// The fewer blocks of a narrow screen, of those that are there.
function fewer(blocks, size, few, how) {
  const at = edges(size, few);
  const found = new Float64Array(few * few).fill(NaN);
  for (let row = 0; row < few; row++) {
    for (let column = 0; column < few; column++) {
      let [most, sum, there] = [0, 0, 0];
      for (let i = at[row]; i < at[row + 1]; i++) {
        for (let j = at[column]; j < at[column + 1]; j++) {
          const value = blocks[i * size + j];
          if (Number.isNaN(value)) continue;
          there++;
          sum += value;
          if (value > most) most = value;
        }
      }
      if (there) found[row * few + column] = how === "mean" ? sum / there : most;
    }
  }
  return found;
}

const HEX = new TextEncoder().encode("0123456789ABCDEF");
const PERCENT = "%".charCodeAt(0);

// One octet a block, written as in an address, by `raster.shade_long`: a weight by its logarithm,
// 1/n or less to 1; a difference likewise, with its sign, 1/n² or less to 1.
function octets(blocks, size, n, signed) {
  const width = size + (-size & 3); // rows of a bitmap are multiples of four octets long
  const written = new Uint8Array(3 * size * width);
  const scale = 1 / (Math.log(n) * (signed ? 2 : 1));
  for (let row = 0, at = 0; row < size; row++) {
    for (let column = 0; column < width; column++) {
      const value = column < size ? blocks[row * size + column] : NaN;
      let octet = 0;
      if (!Number.isNaN(value)) {
        const share = Math.max(1 + scale * Math.log(Math.abs(value)), 0);
        octet = 1 + Math.round(STEPS * Math.min(signed ? (1 + Math.sign(value) * share) / 2 : share, 1));
      }
      written[at++] = PERCENT;
      written[at++] = HEX[octet >> 4];
      written[at++] = HEX[octet & 15];
    }
  }
  return new TextDecoder().decode(written);
}

// Of each block of rows the lowest, the highest and the mean; NaN where no row has a choice.
function bands(spread, edges) {
  const told = [];
  for (let block = 0; block + 1 < edges.length; block++) {
    const known = spread.subarray(edges[block], edges[block + 1]).filter((share) => share >= 0);
    const sum = known.reduce((one, other) => one + other, 0);
    told.push(...(known.length ? [Math.min(...known), Math.max(...known), sum / known.length] : [NaN, NaN, NaN]));
  }
  return told;
}
