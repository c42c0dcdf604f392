/** The formats that only reports use: ticks, ratios, dates. Times and rates have the same format as in the terminal. */

import { threeDigits } from '../format.ts'

/** The label of a tick, without needless digits: `1 T`, `1.5 G`. */
export function tick(format: (value: number) => string): (value: number) => string {
  return (value) =>
    format(value)
      .replace(/(\.\d*?)0+(?=\D|$)/, '$1')
      .replace(/\.(?=\D|$)/, '')
}

/** `1.04`, `20.3`, `350`, `0.0064`. */
export function ratio(value: number): string {
  if (value >= 9.95) return threeDigits(value)
  return value >= 0.095 || value === 0 ? value.toFixed(2) : String(Number(value.toPrecision(2)))
}

/** `2026-11-21 08:30 UTC` of an ISO date. */
export function date(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
