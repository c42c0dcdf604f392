/** `rivals`: the CPU backend beside what one would use instead, on the same points, in the same run. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import { install } from '../../thirdparty/packages.ts'
import { Rivals } from '../../thirdparty/rivals.ts'
import { rivalsTables } from '../../thirdparty/table.ts'
import { sessionOf } from '../local-session.ts'
import { nodeEnvironment } from '../node/environment.ts'
import { interruptSignal } from '../node/interrupt.ts'
import { machine } from '../node/machine.ts'
import { checkWritable, writeRecord } from '../node/output.ts'
import { progressBar } from '../node/progress.ts'
import { type Options, measuring } from '../options.ts'
import type { ProblemSpec } from '../problem.ts'
import { run } from '../run.ts'

/** Laws and tasks that rivals know. */
const problems: Readonly<Record<string, ProblemSpec['what']>> = Object.fromEntries([
  ...['gravity', 'coulomb', 'lennard-jones-box', 'gaussian', 'point-gravity', 'planar-gravity'].map((law) => [law, { law }]),
  ...['argmin', 'logsumexp', 'nearest(8)', 'matrix'].map((task) => [task, { task }]),
])
const names = Object.keys(problems)

interface RivalsOptions extends Options {
  readonly problems: readonly string[]
}

export function rivals(program: Command): Command {
  const command = program.command('rivals').description('the CPU backend beside JavaScript, gpu.js, tensors, trees and C')
  return measuring(command, { sizes: [1024, 4096], duration: 120 })
    .addOption(
      new Option('--problems <name,...>', `what to compute: ${names.join(', ')}`).argParser(chosen).default(names, 'all'),
    )
    .action(compete)
}

async function compete({ sizes, seed, duration, json, problems: wanted }: RivalsOptions): Promise<void> {
  if (json !== undefined) checkWritable(json, '--json')
  const missing = install((line) => console.error(line))
  if (missing) console.error(`${missing}; the rest runs`)
  const rivals = await Rivals.open()
  const environment = nodeEnvironment()
  const compiler = rivals.native.version ? { cc: rivals.native.version } : {}
  const session = sessionOf(
    { ...environment, versions: { ...environment.versions, ...compiler } },
    (problem) => rivals.of(problem),
    () => rivals.dispose(),
  )
  const record = await run([session], {
    kind: 'rivals',
    command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
    machine: machine(),
    problems: wanted.flatMap((name) =>
      sizes.flatMap((count) => (problems[name] ? [{ what: problems[name], count, seed }] : [])),
    ),
    seconds: duration,
    signal: interruptSignal(),
    progress: progressBar(),
  })
  await session.dispose()
  console.log(rivalsTables(record))
  if (json !== undefined) writeRecord(record, json)
}

function chosen(text: string): readonly string[] {
  const wanted = text.split(',').map((name) => name.trim())
  const stranger = wanted.find((name) => !names.includes(name))
  if (stranger !== undefined)
    throw new InvalidArgumentError(`Unknown among problems: "${stranger}"; there are ${names.join(', ')}.`)
  return [...new Set(wanted)]
}
