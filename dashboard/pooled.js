// The weights of a long text in blocks, worked out where they are looked at: the picture follows
// the slider without a word from the server. `LongAttention.overview` of `core` is the reference,
// and the text handed to the drawing is that of `charts/blocks_text.py`.

const FORM = ".st-key-overview .vega-bind";
const BETA = `${FORM} input[name='beta']`; // the sharpness that the page leads
const DRAWN = `${FORM} input[name='drawn']`; // the text
const BEYOND = 16.0001; // stands for the limit of endless sharpness, as in `charts/live.py`
const STEPS = 254; // bytes 1 … 255 are the colours, 0 is a block that is not there
const TIED = 8 * 2 ** -23; // shares of a score within which it ties with the largest, in float32
const NOTHING = -104; // exp of less is no number of float32

let leave = () => {};

export default function ({ data }) {
  leave();
  const read = reader(data);
  let done; // the control that shows this read, and its sharpness

  const draw = () => {
    const [beta, drawn] = [document.querySelector(BETA), document.querySelector(DRAWN)];
    if (!beta || !drawn) return;
    const told = beta.nextElementSibling.textContent;
    if (done?.drawn === drawn && done.told === told) return;
    done = { drawn, told };
    drawn.value = text(read, told === "∞" ? BEYOND : Number(told));
    drawn.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // The drawing takes the sharpness first, and writes it beside its control.
  const moved = ({ target }) => target instanceof Element && target.matches(BETA) && draw();
  document.addEventListener("input", moved);
  // It is not there yet, or another has taken its place.
  const watcher = new MutationObserver(draw);
  watcher.observe(document.querySelector("section[data-testid='stMain']") ?? document.body, {
    childList: true,
    subtree: true,
  });
  draw();

  leave = () => {
    document.removeEventListener("input", moved);
    watcher.disconnect();
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

// What does not move with the sharpness: how far each score is from the top of its row.
function reader({ queries, keys, size, causal, how, pixels }) {
  const [q, k] = [numbers(queries), numbers(keys)];
  const n = k.length / size;
  const gaps = new Float32Array(n * n);
  const tied = new Float64Array(n);
  const scores = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    const usable = causal ? row + 1 : n;
    let top = -Infinity;
    for (let key = 0; key < usable; key++) {
      let score = 0;
      for (let at = 0; at < size; at++) score += q[row * size + at] * k[key * size + at];
      score /= Math.sqrt(size);
      scores[key] = score;
      if (score > top) top = score;
    }
    for (let key = 0; key < usable; key++) gaps[row * n + key] = scores[key] - top;
    tied[row] = -TIED * Math.abs(top);
  }
  return { n, gaps, tied, causal, how, edges: edges(n, pixels[0]), few: pixels[1] };
}

function text(read, beta) {
  const { blocks, spread } = weigh(read, beta);
  const size = read.edges.length - 1;
  const words = [octets(blocks, size, read.n), "-"];
  if (size > read.few) words[1] = octets(...fewer(blocks, size, read), read.n);
  return [...words, ...bands(spread, read.edges)].join(" ");
}

// Weights in blocks, and how far each row lies from copy, 0, to blend, 1.
function weigh({ n, gaps, tied, causal, how, edges }, beta) {
  const hard = beta >= BEYOND;
  const size = edges.length - 1;
  const blocks = new Float64Array(size * size);
  const spread = new Float64Array(n);
  const strip = new Float64Array(size);
  const mean = how === "mean";
  for (let block = 0; block < size; block++) {
    const [first, end] = [edges[block], edges[block + 1]];
    const start = block * size;
    for (let row = first; row < end; row++) {
      const usable = causal ? row + 1 : n;
      let total = 0;
      let pull = 0;
      let columns = 0;
      for (let key = 0; key < usable; columns++) {
        const until = Math.min(edges[columns + 1], usable);
        let [most, sum] = [0, 0];
        for (; key < until; key++) {
          const gap = gaps[row * n + key];
          let mass = 0;
          if (hard) mass = gap >= tied[row] ? 1 : 0;
          else if (beta * gap > NOTHING) {
            mass = Math.exp(beta * gap);
            pull += beta * gap * mass;
          }
          sum += mass;
          if (mass > most) most = mass;
        }
        total += sum;
        strip[columns] = mean ? sum : most;
      }
      for (let column = 0; column < columns; column++) {
        const share = strip[column] / total;
        if (mean) blocks[start + column] += share;
        else if (share > blocks[start + column]) blocks[start + column] = share;
      }
      const nats = Math.max(Math.log(total) - pull / total, 0);
      spread[row] = usable < 2 ? NaN : Math.min(nats / Math.log(usable), 1);
    }
    for (let column = 0; column < size; column++) {
      if (mean) blocks[start + column] /= (end - first) * (edges[column + 1] - edges[column]);
      if (causal && edges[column] >= end) blocks[start + column] = NaN; // no key of it is allowed
    }
  }
  return { blocks, spread };
}

// The fewer blocks of a narrow screen, of those that are there, and how many a side.
function fewer(blocks, size, { how, few }) {
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
  return [found, few];
}

const HEX = new TextEncoder().encode("0123456789ABCDEF");
const PERCENT = "%".charCodeAt(0);

// One octet a block, written as in an address, by the logarithm of the weight: 1/n or less to 1.
function octets(blocks, size, n) {
  const width = size + (-size & 3); // rows of a bitmap are multiples of four octets long
  const written = new Uint8Array(3 * size * width);
  const scale = STEPS / Math.log(n);
  for (let row = 0, at = 0; row < size; row++) {
    for (let column = 0; column < width; column++) {
      const value = column < size ? blocks[row * size + column] : NaN;
      const level = Math.round(STEPS + scale * Math.log(value));
      const octet = Number.isNaN(value) ? 0 : 1 + Math.min(Math.max(level, 0), STEPS);
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
