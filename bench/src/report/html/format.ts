/** The formats that only reports use: ticks and dates. Times and rates have the same format as in the terminal. */

/** The label of a tick, without needless digits: `1 T`, `1.5 G`. */
export function tick(format: (value: number) => string): (value: number) => string {
  return (value) =>
    format(value)
      .replace(/(\.\d*?)0+(?=\D|$)/, '$1')
      .replace(/\.(?=\D|$)/, '')
}

/** `2026-11-21 08:30 UTC` of an ISO date. */
export function date(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
