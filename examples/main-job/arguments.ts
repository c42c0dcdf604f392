/** The command line of the main job: its options, and one clear line for wrong ones. */

import { parseArgs } from 'node:util'

export interface Arguments {
  readonly help: boolean
  /** The backend for the parts in single precision; undefined for the best there is. */
  readonly backend: string | undefined
  readonly years: number
  readonly cities: number
  readonly stars: number
  readonly output: string
}

/** A command line that makes no sense. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

export const help = `Three problems on real input, each compared with what is known.

usage: npm start -- [options]

  --backend <name>   for the single precision parts: webgpu, webgl, cpu-wasm or reference (default: the best there is)
  --years <n>        of the outer solar system (default 1000)
  --cities <n>       largest cities to compute the population potential for (default 1000)
  --stars <n>        in the Plummer sphere (default 4096)
  --output <folder>  where orbits.svg goes (default: output)
  --help             this text`

const backendNames = ['webgpu', 'webgl', 'cpu-wasm', 'reference']

/** @throws ArgumentError */
export function argumentsOf(argv: readonly string[]): Arguments {
  const { help, backend, output, ...counts } = parsed(argv)
  if (backend !== undefined && !backendNames.includes(backend))
    throw new ArgumentError(`--backend expected one of ${backendNames.join(', ')}, got "${backend}"`)
  return {
    help,
    backend,
    output,
    years: count('years', counts.years, 1, 100_000),
    cities: count('cities', counts.cities, 1, 100_000),
    stars: count('stars', counts.stars, 2, 1_000_000),
  }
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', default: false },
        backend: { type: 'string' },
        years: { type: 'string', default: '1000' },
        cities: { type: 'string', default: '1000' },
        stars: { type: 'string', default: '4096' },
        output: { type: 'string', default: 'output' },
      },
    }).values
  } catch (cause) {
    const [line = 'cannot be read'] = cause instanceof Error ? cause.message.split('. ') : []
    throw new ArgumentError(line, { cause })
  }
}

function count(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw new ArgumentError(`--${name} expected a whole number from ${least} to ${most}, got "${text}"`)
  return value
}
