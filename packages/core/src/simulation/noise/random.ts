/**
 * Random numbers that are the same on every backend: a generator as expressions of maps. Its integers stay below 2^24, so float32 holds
 * them exactly.
 *
 * Each point has its own stream. The seed, the point and the count of drawn numbers determine the state, so nothing is stored: a
 * resumed simulation jumps to its place in the stream (see `random-states.ts`).
 *
 * @source P. L'Ecuyer, "Efficient and portable combined random number generators", Commun. ACM 31 (1988) 742, the version for 16
 *   bits: three multiplicative generators with a joint period of 8e12
 * @module
 */

/** The three generators: `s -> multiplier*s mod modulus`. */
export const generators = [
  { multiplier: 157, modulus: 32363 },
  { multiplier: 146, modulus: 31727 },
  { multiplier: 142, modulus: 31657 },
] as const

/** The arrays of their states, one number per point each. A state of 0 gives no noise. */
export const randomNames: readonly string[] = generators.map((_, n) => `random${n + 1}`)

/** One less than the first modulus. The combined numbers are whole, from 1 to this. */
const most = generators[0].modulus - 1

/**
 * Draws some numbers in a map: independent numbers with mean 0 and variance 1, uniformly distributed. It returns their names, their
 * definitions as text to append to an expression, and the new states of the generators as outputs of the map.
 */
export function draws(count: number): {
  readonly names: readonly string[]
  readonly definitions: string
  readonly states: Readonly<Record<string, string>>
} {
  const definitions: string[] = []
  const define = (name: string, text: string): string => {
    definitions.push(`${name} = ${text}`)
    return name
  }
  let states: readonly string[] = randomNames
  const names = Array.from({ length: count }, (_, draw) => {
    states = generators.map(({ multiplier, modulus }, n) => {
      const product = define(`product${draw}${n}`, `${multiplier}*${states[n]}`)
      // A maximum that changes nothing keeps factors from being multiplied out, which would give integers beyond 2^24.
      // Rounding may move the quotient by less than 4/modulus, so this floor is right or 1 too small.
      const rest = define(`rest${draw}${n}`, `${product} - ${modulus}*floor((${product} - 4)/${modulus})`)
      return define(`state${draw}${n}`, `max(0, ${rest} - ${modulus}*step(${rest} - ${modulus} + 0.5))`)
    })
    const [a, b, c] = states
    const difference = define(`difference${draw}`, `${a} - ${b}`)
    const folded = define(`folded${draw}`, `${difference} - ${most}*step(${difference} - 706.5) + ${c}`)
    const whole = define(`whole${draw}`, `max(1, ${folded} + ${most}*step(0.5 - ${folded}))`)
    return define(`noise${draw}`, `sqrt(12)*((${whole} - 0.5)/${most} - 0.5)*min(1, ${randomNames[0]})`)
  })
  // A definition may read the ones after it.
  const text = definitions.reverse().map((definition) => `; ${definition}`)
  return {
    names,
    definitions: text.join(''),
    states: Object.fromEntries(states.map((state, n) => [randomNames[n] as string, `${state}${text.join('')}`])),
  }
}
