/** The look of reports and of the page that measures: light, dark and on paper, from wide screens to phones. */

export const style = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --muted: #5d6671; --grid: #e3e6ea; --line: #d3d8de; --wash: #f5f6f8;
  --accent: #1f5fc4; --warn: #fdf3dc; --warn-line: #d99a1b;
  --reference: #6a737d;
  --ours: #1f5fc4; --rival: #b4690e;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e6e9ed; --muted: #9aa4af; --grid: #2a3037; --line: #39414a; --wash: #1c2026;
    --accent: #7db0ff; --warn: #2d2615; --warn-line: #d9a43a;
    --reference: #a4adb7;
    --ours: #7db0ff; --rival: #f0aa55;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 30px; line-height: 1.15; margin: 0 0 18px; letter-spacing: -0.01em; }
h2 { font-size: 18px; line-height: 1.3; margin: 0 0 4px; }
section, figure { margin: 44px 0 0; }
code { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--wash); padding: 1px 5px; border-radius: 4px; overflow-wrap: anywhere; }
.brand { margin: 0 0 4px; color: var(--accent); font-weight: 600; }
header ul { list-style: none; margin: 0 0 20px; padding: 0; display: grid; gap: 3px; }
.warning { margin: 10px 0; padding: 9px 13px; background: var(--warn); border-left: 4px solid var(--warn-line); border-radius: 4px; }
.findings { padding-left: 20px; margin: 20px 0 0; }
.findings li { margin: 3px 0; }
figcaption { color: var(--muted); font-size: 14px; max-width: 74ch; margin-bottom: 10px; }
.key { list-style: none; margin: 6px 0 10px; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; }
.key li { display: flex; align-items: center; gap: 6px; }
.key i { width: 13px; height: 13px; border-radius: 3px; }
svg.plot { --plot-background: var(--paper); display: block; width: 100%; max-width: 600px; height: auto; font-family: inherit; font-size: 12px; overflow: visible; }
/* A shadow at the edge shows that there is more beyond it. */
.scroll {
  overflow-x: auto; margin: 14px 0 26px;
  background: linear-gradient(to right, var(--paper) 40%, transparent) left / 40px 100% local, linear-gradient(to left, var(--paper) 40%, transparent) right / 40px 100% local,
    linear-gradient(to right, var(--line), transparent) left / 12px 100% scroll, linear-gradient(to left, var(--line), transparent) right / 12px 100% scroll;
  background-repeat: no-repeat;
}
table { border-collapse: collapse; font-size: 13px; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 6px; }
th, td { text-align: left; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; white-space: nowrap; }
.wrap { white-space: normal; min-width: 180px; }
tbody th { font-weight: 600; white-space: normal; min-width: 190px; }
thead th { color: var(--muted); border-bottom-width: 2px; vertical-align: bottom; }
.number { text-align: right; }
.pill { display: inline-block; font-size: 11px; font-weight: 500; padding: 0 6px; border: 1px solid var(--line); border-radius: 9px; color: var(--muted); white-space: nowrap; }
.pill.software { border-color: var(--warn-line); color: var(--ink); background: var(--warn); }
footer { margin-top: 48px; color: var(--muted); font-size: 13px; }
@media (max-width: 700px) {
  main { padding: 20px 16px 40px; }
  h1 { font-size: 25px; }
  .wrap { min-width: 170px; }
  tbody th { min-width: 150px; }
}
@media print {
  main { max-width: none; padding: 0; }
  .wide { display: block; }
    figure, tr, .warning { break-inside: avoid; }
  .scroll { overflow: visible; }
  * { print-color-adjust: exact; }
}
`
