/** The styles that the page adds to the report's. */

export const pageStyle = `
fieldset { border: 0; padding: 0; margin: 0 0 18px; }
legend { font-weight: 600; padding: 0; margin: 0 0 4px; }
.choices { display: flex; flex-wrap: wrap; gap: 4px 20px; }
.choices label { display: flex; gap: 6px; align-items: center; }
.choices label:has(:disabled) { color: var(--muted); }
.line { display: block; margin: 8px 0; }
form { margin-top: 36px; }
input { accent-color: var(--accent); font: inherit; color: inherit; background: var(--paper); }
input:not([type=checkbox]) { border: 1px solid var(--line); border-radius: 5px; padding: 4px 8px; max-width: 100%; }
input[name=expression] { font: 13px ui-monospace, Menlo, Consolas, monospace; }
.buttons { display: flex; gap: 10px; margin: 18px 0; }
button { font: inherit; font-weight: 600; padding: 8px 20px; border-radius: 6px; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); cursor: pointer; }
button:disabled { opacity: 0.45; cursor: default; }
#stop, #html { background: none; color: var(--accent); }
#devices th, #devices td, #rows th, #rows td { min-width: 0; }
#rows td:first-child { white-space: normal; }
#devices th { white-space: nowrap; }
#running { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; color: var(--muted); min-height: 24px; }
progress { width: 220px; accent-color: var(--accent); flex: none; }
#report header { display: none; }
[hidden] { display: none !important; }
`
