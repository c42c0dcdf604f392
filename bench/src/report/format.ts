/** Formats numbers for tables and plots: few digits and a suitable unit. */

/** `1.23 G`, `45.6 M`: three digits and a decimal prefix. */
export function withPrefix(value: number): string {
  const rounded = Number(value.toPrecision(3))
  const [prefix, unit] = prefixes.find(([, size]) => rounded >= size) ?? ['', 1]
  return `${threeDigits(rounded / unit)}${prefix ? ` ${prefix}` : ''}`
}

const prefixes = [
  ['T', 1e12],
  ['G', 1e9],
  ['M', 1e6],
  ['k', 1e3],
] as const

/** Milliseconds, microseconds or seconds, with the unit. */
export function duration(milliseconds: number): string {
  const rounded = Number(milliseconds.toPrecision(3))
  if (rounded < 1) return `${threeDigits(1000 * rounded)} µs`
  if (rounded < 1000) return `${threeDigits(rounded)} ms`
  return `${threeDigits(rounded / 1000)} s`
}

export function threeDigits(value: number): string {
  if (value === 0) return '0'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3))))))
  return value.toFixed(Math.min(digits, 20))
}

/** `1.2e-7`. */
export const scientific = (value: number): string => (value === 0 ? '0' : value.toExponential(1))

/** `4.2%`, `97%`. */
export const percent = (share: number): string =>
  share < 0.1 ? `${Number((100 * share).toPrecision(2))}%` : `${Math.round(100 * share)}%`

/** The label of a tick, without needless digits: `1 T`, `1.5 G`. */
export function tick(format: (value: number) => string): (value: number) => string {
  return (value) =>
    format(value)
      .replace(/(\.\d*?)0+(?=\D|$)/, '$1')
      .replace(/\.(?=\D|$)/, '')
}
