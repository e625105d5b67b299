// Runs in the page before its own scripts: when was a move made, and when was its picture painted?
(() => {
    const probe = (window.probe = { areas: {}, sent: [], received: [], start: null, target: "none", which: 0 });

    // A picture is painted when the frame after the last change in it is done, with every image in
    // it: one that came with its address is there at once, another has to be waited for. The first
    // task after a frame's callbacks comes when it is painted.
    const afterFrame = (act, before = () => {}) => requestAnimationFrame(() => {
        before();
        const channel = new MessageChannel();
        channel.port1.onmessage = act;
        channel.port2.postMessage(null);
    });
    const changed = (name, element) => {
        const area = (probe.areas[name] ??= { changes: 0 });
        const now = performance.now();
        area.drawn = now;
        area.changes += 1;
        if (area.changes === 1) {
            afterFrame(() => { area.first = performance.now(); });
        }
        if (area.waiting) return;
        area.waiting = true;
        const painted = () => {
            let seen, copies;
            const before = () => {
                seen = area.changes; // what this frame paints
                copies = [...(element.querySelectorAll?.("image, img") ?? [])].map((image) => {
                    const copy = new Image();
                    copy.src = image.href?.baseVal ?? image.src;
                    return copy;
                });
            };
            afterFrame(async () => {
                const now = performance.now();
                const late = copies.filter((copy) => !copy.complete);
                await Promise.all(late.map((copy) => copy.decode().catch(() => null)));
                if (area.changes !== seen || late.length) return painted();
                area.painted = now;
                area.waiting = false;
            }, before);
        };
        painted();
    };
    const picture = () => document.querySelectorAll(probe.target)[probe.which];
    const touched = (nodes) => {
        const areas = { picture: picture(), page: document.querySelector('[data-testid="stMain"]') };
        for (const [name, element] of Object.entries(areas)) {
            if (element && nodes.some((node) => element.contains(node))) changed(name, element);
        }
    };
    // A name is heard and not seen; what is written once more as it was is no change either.
    const passing = new Set(["aria-label", "data-stale", "data-test-script-state"]);
    const same = ({ target, attributeName, attributeNamespace, oldValue }) =>
        attributeName !== null && target.getAttributeNS(attributeNamespace, attributeName) === oldValue;
    new MutationObserver((records) => {
        if (probe.start === null) return;
        const seen = records.filter((r) => !passing.has(r.attributeName) && !same(r));
        touched(seen.map((r) => r.target));
    }).observe(document, {
        subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true,
    });

    // What is drawn on a canvas changes no node: its first stroke of a task tells.
    const pending = new Set();
    for (const act of ["clearRect", "drawImage", "fill", "fillRect", "fillText", "putImageData", "stroke"]) {
        const native = CanvasRenderingContext2D.prototype[act];
        CanvasRenderingContext2D.prototype[act] = function (...given) {
            if (probe.start !== null && !pending.has(this.canvas)) {
                pending.add(this.canvas);
                queueMicrotask(() => { pending.delete(this.canvas); touched([this.canvas]); });
            }
            return native.apply(this, given);
        };
    }

    // What goes to the server and comes back.
    const size = (data) => data.byteLength ?? data.size ?? data.length;
    window.WebSocket = class extends window.WebSocket {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", (event) => {
                probe.received.push([performance.now(), size(event.data)]);
            });
        }
        send(data) {
            probe.sent.push([performance.now(), size(data)]);
            super.send(data);
        }
    };

    probe.begin = (at) => {
        Object.assign(probe, { areas: {}, sent: [], received: [], start: at });
    };
    probe.stop = () => { probe.start = null; };
    probe.armed = false;
    addEventListener("keydown", (event) => {
        if (!probe.armed) return;
        probe.armed = false;
        probe.begin(event.timeStamp);
    }, true);

    // A move inside the picture, which no server hears of.
    probe.nudge = (selector, value) => {
        const control = picture().querySelector(selector);
        const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
        probe.begin(performance.now());
        write.call(control, value);
        control.dispatchEvent(new Event("input", { bubbles: true }));
    };

    // At rest: what was seen is painted, and nothing has moved for a while.
    probe.atRest = (quiet = 120) => {
        const areas = Object.values(probe.areas);
        return areas.length > 0
            && areas.every((area) => !area.waiting && performance.now() - area.painted > quiet);
    };
    probe.result = () => {
        const since = (at) => (at === undefined ? null : at - probe.start);
        const total = (frames) => frames.reduce((sum, [, bytes]) => sum + bytes, 0);
        const area = (name) => probe.areas[name] ?? {};
        const asked = probe.sent.length ? probe.sent[0][0] : undefined;
        const last = probe.received.length ? probe.received.at(-1)[0] : undefined;
        return {
            first: since(area("picture").first),
            drawn: since(area("picture").drawn),
            painted: since(area("picture").painted),
            page: since(area("page").painted),
            asked: since(asked),
            answered: since(last),
            messages: probe.received.length,
            bytes: total(probe.received),
            sent: probe.sent.length,
        };
    };

    // What the picture shows, without the names that the renderer counts up.
    probe.shows = () => {
        const first = picture();
        const drawn = first.querySelector("svg, canvas");
        probe.node = drawn;
        if (drawn?.tagName === "CANVAS") return drawn.toDataURL();
        return (drawn ?? first).outerHTML.replace(/(clip|gradient_)\d+/g, "");
    };
    probe.kept = () => probe.node === picture().querySelector("svg, canvas");
})();
