/** Numbers as people read them: three digits, SI prefixes, no more precision than a measurement has. */

const prefixes = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Three significant digits with an SI prefix: `2.06 T`, `350 M`. */
export function si(value: number): string {
  const rounded = Number(value.toPrecision(3))
  const [unit, prefix] = prefixes.find(([unit]) => Math.abs(rounded) >= unit) ?? [1, '']
  return `${plain(rounded / unit)}${prefix === '' ? '' : ` ${prefix}`}`
}

/** Three significant digits, whole numbers whole. */
export function plain(value: number): string {
  if (value === 0) return '0'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3))))))
  return value.toFixed(Math.min(digits, 12))
}

/** The label of a tick, without digits that say nothing: `1 T`. */
export function tick(format: (value: number) => string): (value: number) => string {
  return (value) => format(value).replace(/\.0+(?=\D|$)/, '')
}

/** Milliseconds, or the unit that fits: `12.9 µs`, `2.04 ms`, `1.5 s`. */
export function duration(milliseconds: number): string {
  const rounded = Number(milliseconds.toPrecision(3))
  if (rounded >= 1000) return `${plain(rounded / 1000)} s`
  if (rounded >= 1) return `${plain(rounded)} ms`
  return `${plain(rounded * 1000)} µs`
}

/** An error: two digits and a power of ten, `1.1e-7`; exactly zero is `0`. */
export function error(value: number): string {
  return value === 0 ? '0' : value.toExponential(1)
}

/** A ratio: `1.04`, `20.3`, `350`, `0.0064`. */
export function ratio(value: number): string {
  if (value >= 9.95) return plain(value)
  return value >= 0.095 || value === 0 ? value.toFixed(2) : String(Number(value.toPrecision(2)))
}

/** `2026-11-21 08:30 UTC` of an ISO date. */
export function date(iso: string): string {
  return `${iso.slice(0, 10)}${iso.length > 10 ? ` ${iso.slice(11, 16)} UTC` : ''}`
}
