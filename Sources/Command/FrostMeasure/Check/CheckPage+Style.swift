extension CheckPage {
    /// The style sheet of the page, in addition to the style of all pages.
    static let style = """
        h3 .muted, h4 .muted, .group .muted { font-weight: 400; }
        .mark { font-weight: 700; font-size: 0.95em; display: inline-block; min-width: 0.9em; }
        .mark.ok { color: var(--ok); } .mark.bad { color: var(--bad); }
        .card {
          background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin-top: 14px; padding: 0 20px;
        }
        .scroll { overflow-x: auto; padding: 0; }

        table { border-collapse: collapse; width: 100%; font-size: 14px; }
        th, td { padding: 6px 12px; text-align: right; white-space: nowrap; }
        th:first-child, td:first-child, td.text { text-align: left; }
        td.text { white-space: normal; }
        th:first-child, td:first-child { padding-left: 20px; } th:last-child, td:last-child { padding-right: 20px; }
        thead th { color: var(--muted); font-weight: 500; font-size: 13px; padding-top: 12px; padding-bottom: 10px; }
        tbody th { font-weight: 400; }
        tbody .group th { font-weight: 600; border-top: 1px solid var(--line); padding-top: 12px; white-space: normal; }
        tbody tr:last-child > * { padding-bottom: 12px; }
        tr.bad td:nth-child(2), tr.bad .text { color: var(--bad); font-weight: 700; }
        tbody tr:not(.group) th bdi, h4 bdi {
          display: inline-block; max-width: 23ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
          vertical-align: bottom;
        }
        .meter {
          display: inline-block; width: 72px; height: 6px; border-radius: 3px; background: var(--line); overflow: hidden;
          margin-right: 10px; vertical-align: 2px;
        }
        .meter span { display: block; height: 100%; background: var(--ok); border-radius: 3px; }
        .figure { display: inline-block; min-width: 3.1em; }
        tr.bad .meter span { background: var(--bad); }

        h4 bdi { max-width: 15ch; }

        details { scroll-margin-top: 16px; }
        summary { padding: 14px 0; cursor: pointer; }
        summary::marker { color: var(--muted); }
        details[open] > summary { border-bottom: 1px solid var(--line); }
        figure img { display: block; max-width: 100%; height: auto; image-rendering: pixelated; border-radius: 4px; }
        .strip img[data-name], .stage {
          background: repeating-conic-gradient(#c9ced6 0 25%, #ffffff 0 50%) 0 0 / 16px 16px;
        }
        .compare { padding: 18px 0; }
        .strip { display: flex; flex-wrap: wrap; gap: 16px; align-items: start; }
        .strip figure { flex: 1 1 180px; max-width: 320px; }
        .scripted .compare { display: grid; grid-template-columns: minmax(0, 640px) minmax(0, 1fr); gap: 24px; }
        .scripted .strip { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; align-content: start; }
        .scripted .strip img { max-height: 200px; width: auto; }
        .host { position: relative; display: block; width: fit-content; }
        .window { position: absolute; border: 2px solid #ffffff; outline: 1px solid #000000; border-radius: 1px; }
        .pickers { display: flex; flex-wrap: wrap; gap: 8px 18px; align-items: center; margin-bottom: 10px; font-size: 14px; }
        select {
          font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 7px;
          padding: 4px 8px; width: 190px; max-width: 100%; text-overflow: ellipsis;
        }
        .stage {
          position: relative; max-width: 100%; border-radius: 8px; overflow: hidden; cursor: ew-resize;
          touch-action: pan-y; user-select: none;
        }
        .stage:focus-within:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
        .stage img { position: absolute; inset: 0; width: 100%; height: 100%; image-rendering: pixelated; }
        .stage img.left { clip-path: inset(0 calc(100% - var(--at)) 0 0); z-index: 1; }
        .stage img.right { clip-path: inset(0 0 0 var(--at)); }
        .label {
          position: absolute; top: 10px; z-index: 2; max-width: 45%; padding: 2px 9px; border-radius: 99px; font-size: 12px;
          background: #101317cc; color: #ffffff; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
        }
        .label.left { left: 10px; } .label.right { right: 10px; }
        .divider {
          position: absolute; z-index: 2; top: 0; bottom: 0; left: var(--at); width: 2px; margin-left: -1px;
          background: #ffffff; box-shadow: 0 0 0 1px #00000066;
        }
        .divider::after {
          content: "◂▸"; position: absolute; top: 50%; left: 50%; translate: -50% -50%; width: 34px; height: 34px;
          border-radius: 50%; background: #ffffff; color: #1b1f24; font: 13px/34px sans-serif; text-align: center;
          box-shadow: 0 1px 4px #00000066;
        }
        .stage input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; z-index: 3; cursor: ew-resize; }

        .pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 16px; padding-bottom: 20px; }
        article { background: var(--sunk); border-radius: 8px; padding: 14px 16px; container-type: inline-size; }
        article.bad { box-shadow: inset 3px 0 0 var(--bad); }
        .evidence { display: grid; grid-template-columns: minmax(0, 320px) minmax(0, 1fr); gap: 18px; }
        @container (max-width: 600px) { .evidence { grid-template-columns: minmax(0, 1fr); } }
        svg { display: block; width: 100%; }
        svg text { fill: var(--muted); font-size: 13px; }
        .axis { stroke: var(--muted); fill: none; } .bar { fill: var(--accent); } .beyond { fill: var(--bad); }

        dl.card { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 12px 28px; padding: 16px 20px; }
        dt { color: var(--muted); font-size: 13px; } dd { overflow-wrap: anywhere; }
        @media (max-width: 820px) {
          body { padding: 0 14px 40px; } .scripted .compare { grid-template-columns: minmax(0, 1fr); } .card { padding: 0 14px; }
          .card.scroll { padding: 0; }
        }
        @media print { .viewer { display: none; } .card, article { break-inside: avoid; } body { max-width: none; } }
        """
}
