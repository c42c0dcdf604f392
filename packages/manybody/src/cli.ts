#!/usr/bin/env node
/**
 * `npx manybody compile laws.js -o laws.programs.js` compiles the workloads that a module exports.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Dimension, Precision } from '@manybody/core'
import type { CompileOptions } from './compile/compile.ts'
import { compileModule } from './compile/compile-module.ts'

const help = `Usage: npx manybody compile <module> -o <file> [options]

Compiles the workloads that a module exports, such as export const pull = accelerations(gravity()),
into a module that exports them compiled, with its types beside it. An engine of manybody/run runs
them without a compiler.

Options
  -o, --output <file>   the module to write: laws.programs.js
  --backends <list>     the backends that will run them, separated by commas; all by default
  --precision <list>    f32, f64, or both (f32)
  --dimension <n>       of the points: 1, 2 or 3 (3)
  --two-sets            targets and sources are two sets
  --far                 also for points that are very far apart or very close, in float32
  --vectors <list>      of maps: arrays with a number for each component (position)
  --lengths <list>      of laws of vectors: the components of each, as x=10,y=10
  --help`

const options = {
  output: { type: 'string', short: 'o' },
  backends: { type: 'string' },
  precision: { type: 'string' },
  dimension: { type: 'string' },
  'two-sets': { type: 'boolean' },
  far: { type: 'boolean' },
  vectors: { type: 'string' },
  lengths: { type: 'string' },
  help: { type: 'boolean' },
} as const

/** Numbers by name. compile() checks them. */
const numbersOf = (text: string) =>
  Object.fromEntries(
    listOf(text).map((one) => {
      const [name = '', number] = one.split('=')
      return [name.trim(), Number(number)] as const
    }),
  )
const listOf = (text: string) => text.split(',').map((name) => name.trim())

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [command, file, ...extra] = positionals
  if (values.help || command === undefined) console.log(help)
  else if (command !== 'compile') throw new TypeError(`unknown command "${command}"; expected compile`)
  else if (file === undefined) throw new TypeError('"compile" expected a module, got nothing')
  else if (extra.length > 0) throw new TypeError(`unexpected argument "${extra[0]}"`)
  else {
    const { output } = values
    if (output === undefined) throw new TypeError('"--output" expected a file to write, got nothing')
    const typed = /\.(c|m|)js$/.exec(output)
    if (!typed) throw new TypeError(`"--output" expected a file that ends in .js or .mjs, got "${output}"`)
    const { backends, precision, dimension, far, vectors, lengths, 'two-sets': twoSets } = values
    // compile() checks the values of these options.
    const { code, types, names } = await compileModule(
      resolve(file),
      {
        ...(backends !== undefined && { backends: listOf(backends) as NonNullable<CompileOptions['backends']> }),
        ...(precision !== undefined && { precision: listOf(precision) as readonly Precision[] }),
        ...(dimension !== undefined && { dimension: Number(dimension) as Dimension }),
        ...(vectors !== undefined && { vectors: listOf(vectors) }),
        ...(lengths !== undefined && { lengths: numbersOf(lengths) }),
        ...(twoSets && { twoSets }),
        ...(far && { far }),
      },
      dirname(resolve(output)),
    )
    writeFileSync(output, code)
    writeFileSync(output.replace(typed[0], `.d.${typed[1]}ts`), types)
    console.log(`${output}: ${names.join(', ')}, ${Math.ceil(code.length / 1024)} KB`)
  }
} catch (error) {
  // Exit code 2 means wrong arguments, 1 any other failure.
  const wrong = error instanceof TypeError || error instanceof RangeError
  const [message] = String(error instanceof Error ? error.message : error).split('. To specify')
  console.error(`manybody: ${message}${wrong ? '; see --help' : ''}`)
  process.exitCode = wrong ? 2 : 1
}
