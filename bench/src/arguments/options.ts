/** The options of a command, parsed and checked, so that mistakes are reported before any measurement. */

import { type Command, Option } from 'commander'
import { BadInputError } from '../errors.ts'
import { lawNames } from '../laws.ts'
import { taskNames } from '../tasks.ts'

/** Where a record goes: to files, and to the terminal as tables or as Markdown. */
export interface RecordFiles {
  readonly json?: string
  readonly html?: string
  readonly markdown?: boolean
}

/** The options of a command that makes a record. Each has a default or may be absent. */
export interface RecordingOptions extends RecordFiles {
  readonly sizes: readonly number[]
  /** Seconds. */
  readonly duration: number
  readonly seed: number
}

/** The options of commands that measure backends. */
export interface Options extends RecordingOptions {
  readonly laws: readonly string[]
  readonly expression?: string
  readonly tasks?: readonly string[]
  readonly backends: readonly string[]
  readonly environments: readonly ('node' | 'chromium')[]
  readonly browser?: string
}

const backendNames: readonly string[] = ['reference', 'cpu-wasm', 'webgpu', 'webgl']
const environmentNames: readonly string[] = ['node', 'chromium']

/** JavaScript has no arrays for more points. */
const mostPoints = 2 ** 26

/** The laws or tasks of a command that measures backends. */
export interface Defaults {
  readonly sizes: readonly number[]
  readonly laws?: readonly string[]
  readonly tasks?: readonly string[]
  readonly backends?: readonly string[]
  readonly duration: number
}

/** Adds the options of a command that makes a record, with the defaults of this command. */
export function recording(command: Command, { sizes, duration }: Pick<Defaults, 'sizes' | 'duration'>): Command {
  command
    .addOption(
      new Option('--sizes <n,...>', 'numbers of points').argParser(sizesFrom(mostPoints)).default(sizes, sizes.join()),
    )
    .addOption(new Option('--duration <seconds>', 'seconds of sampling in all').argParser(secondsOf).default(duration))
    .addOption(new Option('--seed <n>', 'seed of the points').argParser(seedOf).default(1))
  return recordFiles(command)
}

/** Adds the options for the files of a record. */
export const recordFiles = (command: Command): Command =>
  command
    .option('--json <file>', 'write the record: all figures, the machine, what was refused and why')
    .option('--html <file>', 'write a report with tables and plots, in one file that needs nothing else')
    .option('--markdown', 'print tables for an issue: Markdown with every column')

/** Adds the options of a command that measures backends. */
export function measuring(command: Command, { laws, tasks, backends = backendNames, ...rest }: Defaults): Command {
  recording(command, rest)
  if (laws)
    command
      .addOption(namesOption('laws', `laws: ${lawNames.join(', ')}`, lawNames, laws))
      .addOption(
        new Option('--expression <energy>', 'a law of your own, in place of --laws: the energy of a pair').conflicts(
          'laws',
        ),
      )
  if (tasks) command.addOption(namesOption('tasks', 'what to compute', taskNames, tasks))
  return (
    command
      .addOption(namesOption('backends', 'backends', backendNames, backends))
      .addOption(namesOption('environments', `where to run: ${environmentNames.join(', ')}`, environmentNames))
      // Our Chromium has no GPU, so that it runs anywhere.
      .option(
        '--browser <path>',
        'a Chromium or Chrome, with its GPU, in place of the one that comes with the benchmark',
      )
  )
}

/** An option with some of the known names, by default all. */
export const namesOption = (
  name: string,
  description: string,
  known: readonly string[],
  usual: readonly string[] = known,
): Option =>
  new Option(`--${name} <name,...>`, description).argParser(namesFrom(name, known)).default(usual, usual.join())

/** An option with the names of problems, by default all. */
export const problemsOption = (known: readonly string[]): Option =>
  namesOption('problems', `what to compute: ${known.join(', ')}`, known).default(known, 'all')

export const precisionOption = (): Option => namesOption('precision', 'our precisions', ['f32', 'f64'])

/** Parses and checks the text of an option. */
const checked =
  <T>(option: string, expected: string, parse: (text: string) => T, isRight: (value: T, text: string) => boolean) =>
  (text: string): T => {
    const value = parse(text)
    if (!isRight(value, text)) throw new BadInputError(`--${option} expected ${expected}, got "${text}"`)
    return value
  }

/** Each part of a list, between commas. */
const listOf =
  <T>(parse: (text: string) => T) =>
  (text: string): readonly T[] =>
    text.split(',').map(parse)

export const wholeFrom = (option: string, most: number): ((text: string) => number) =>
  checked(option, `whole numbers from 1 to ${most}`, Number, (value, text) => {
    return /^\d+$/.test(text.trim()) && value >= 1 && value <= most
  })

export const sizesFrom = (most: number, option = 'sizes'): ((text: string) => readonly number[]) =>
  listOf(wholeFrom(option, most))

export const toleranceFrom = (option: string): ((text: string) => number) =>
  checked(option, 'numbers of at least 1e-6 and below 1', Number, (value) => value >= 1e-6 && value < 1)

export const namesFrom =
  (option: string, known: readonly string[]) =>
  (text: string): readonly string[] => {
    const nameFrom = checked(option, `some of ${known.join(', ')}`, String, (name) => known.includes(name))
    return [...new Set(text.split(',').map((name) => nameFrom(name.trim())))]
  }

/** A day. */
const mostSeconds = 86400

const secondsOf = checked('duration', `seconds above 0 and up to ${mostSeconds}`, Number, (value) => {
  return value > 0 && value <= mostSeconds
})
const seedOf = checked('seed', 'a whole number below 1e9', Number, (_, text) => /^\d{1,9}$/.test(text))
