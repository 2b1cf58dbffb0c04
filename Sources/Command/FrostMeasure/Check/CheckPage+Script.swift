extension CheckPage {
    /// The script of the slider that compares two pictures. The rest of the page works without the script.
    static let script = #"""
        "use strict";
        document.documentElement.classList.add("scripted");
        const make = (tag, properties, ...children) => {
          const node = Object.assign(document.createElement(tag), properties);
          node.append(...children);
          return node;
        };
        for (const host of document.querySelectorAll(".compare")) {
          const pictures = [...host.querySelectorAll("img[data-name]")];
          const { width, height } = host.dataset;
          const zoom = Math.max(1, Math.floor(Math.min(640 / width, 640 / height)));
          const stage = make("div", { className: "stage" });
          stage.style.width = `${width * zoom}px`;
          stage.style.aspectRatio = `${width} / ${height}`;
          const slider = make("input", { type: "range", min: 0, max: 100, step: 0.5, value: 50 });
          const sides = ["left", "right"].map((side) => {
            const image = make("img", { className: side, alt: "" });
            const label = make("span", { className: `label ${side}` });
            const select = make("select", {}, ...pictures.map((p) => make("option", {}, p.dataset.name)));
            const show = () => {
              image.src = pictures[select.selectedIndex].src;
              label.textContent = select.value;
              const names = sides.map((s) => s.select.value);
              slider.setAttribute("aria-label", `Divider: ${names[0]} on its left, ${names[1]} on its right`);
            };
            select.selectedIndex = Math.max(0, pictures.findIndex((p) => p.dataset.name === host.dataset[side]));
            select.addEventListener("input", show);
            stage.append(image, label);
            return { select, show };
          });
          const move = () => stage.style.setProperty("--at", `${slider.value}%`);
          slider.addEventListener("input", move);
          const point = (event) => {
            const box = stage.getBoundingClientRect();
            slider.value = (100 * (event.clientX - box.left)) / box.width;
            move();
          };
          stage.addEventListener("pointerdown", (event) => {
            stage.setPointerCapture(event.pointerId);
            point(event);
            slider.focus({ preventScroll: true });
            event.preventDefault();
          });
          stage.addEventListener("pointermove", (event) => { if (event.buttons & 1) point(event); });
          stage.append(make("span", { className: "divider" }), slider);
          for (const side of sides) side.show();
          move();
          const pickers = make("div", { className: "pickers" },
            make("label", {}, "Left ", sides[0].select), make("label", {}, "Right ", sides[1].select),
            make("span", { className: "muted" }, zoom > 1 ? `enlarged ${zoom} times` : "pixel by pixel"));
          host.prepend(make("div", { className: "viewer" }, pickers, stage));
        }
        const open = () => { const target = document.querySelector(location.hash || "x"); if (target) target.open = true; };
        addEventListener("hashchange", open);
        open();
        """#
}
