/**
 * The shaders of a file, each once, by their numbers.
 *
 * @module
 */

import type { Shader } from '../../design/shader.ts'
import type { Versions } from '../../design/versions.ts'
import type { CompiledWebGpu, Filed, FiledShader } from '../../designs/compiled.ts'

export class FiledShaders {
  /** The numbers of lines and of shaders, by their texts. */
  readonly #lines = new Map<string, number>()
  readonly #shaders = new Map<string, number>()
  readonly #guards: readonly string[] | undefined

  /** @param guards the guards with shaders in the file; all by default */
  constructor(guards?: readonly string[]) {
    this.#guards = guards
  }

  get data(): Pick<CompiledWebGpu, 'lines' | 'shaders'> {
    return {
      lines: [...this.#lines.keys()],
      shaders: [...this.#shaders.keys()].map((text) => JSON.parse(text) as FiledShader),
    }
  }

  /** Files the shaders of each version, and puts their numbers in their place. @param short shortens the labels of shaders */
  versions<T extends { readonly shaders: object }>(
    versions: Versions<T>,
    short: (label: string) => string = (label) => label,
  ): Versions<Filed<T>> {
    const filed = ([guard, version]: [string, T]) => {
      const shaders = Object.entries(version.shaders as Readonly<Record<string, Shader>>)
      return [
        guard,
        { ...version, shaders: Object.fromEntries(shaders.map(([name, one]) => [name, this.add(one, short)])) },
      ]
    }
    const held = Object.entries(versions as Record<string, T>).filter(
      ([guard]) => this.#guards?.includes(guard) ?? true,
    )
    return Object.fromEntries(held.map(filed)) as Versions<Filed<T>>
  }

  /** Files a shader, and returns its number. */
  add({ code, fields, label, ...shader }: Shader, short: (label: string) => string = (label) => label): number {
    const filed: FiledShader = {
      ...shader,
      label: short(label),
      fields: fields.map(({ name, type }) => ({ name, type })),
      code: runsOf(
        plainText(code)
          .split('\n')
          .map((line) => numberOf(this.#lines, line)),
      ),
    }
    return numberOf(this.#shaders, JSON.stringify(filed))
  }
}

function numberOf(numbers: Map<string, number>, text: string): number {
  const number = numbers.get(text) ?? numbers.size
  numbers.set(text, number)
  return number
}

/** The first number and the length of each run of numbers that follow each other. */
function runsOf(numbers: readonly number[]): number[] {
  const starts = numbers.flatMap((number, n) => (number - 1 === numbers[n - 1] ? [] : [n]))
  return starts.flatMap((start, n) => [numbers[start] as number, (starts[n + 1] ?? numbers.length) - start])
}

/** The text without comments, blank lines and margins. */
const plainText = (code: string) =>
  code
    .replace(/\/\/.*/g, '')
    .replace(/^\s+|[^\S\n]+$/gm, '')
    .trimEnd()
