/** `rivals`: the CPU backend next to its alternatives, on the same points, in the same run. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { installed, resolved } from '../../thirdparty/packages.ts'
import { openRivals } from '../../thirdparty/rivals.ts'
import {
  browserOption,
  environmentsOption,
  problemsOption,
  type RecordingOptions,
  recording,
} from '../arguments/options.ts'
import { pageSession } from '../node/chromium-session.ts'
import { nodeEnvironment } from '../node/environment.ts'
import type { ProblemSpec } from '../problem.ts'
import { sessionOf } from '../sessions/local-session.ts'
import type { Session } from '../sessions/session.ts'
import { browserOrReason } from './backends.ts'
import { execute } from './execute.ts'

/** The laws and tasks that rivals know. */
const laws = ['gravity', 'coulomb', 'lennard-jones-box', 'gaussian', 'point-gravity', 'planar-gravity']
const tasks = ['argmin', 'logsumexp', 'nearest(8)', 'matrix']
const names = [...laws, ...tasks]

interface Options extends RecordingOptions {
  readonly problems: readonly string[]
  readonly environments: readonly ('node' | 'chromium')[]
  readonly browser?: string
}

export function rivals(program: Command): Command {
  const command = program
    .command('rivals')
    .description('the CPU backend beside JavaScript, gpu.js, tensors, trees and C')
  return recording(command, { sizes: [1024, 4096], duration: 120 })
    .addOption(problemsOption(names))
    .addOption(environmentsOption(['node']))
    .addOption(browserOption())
    .action((options: Options) =>
      execute({
        kind: 'rivals',
        options,
        problems: problemsOf(options),
        open: () => sessionsOf(options),
      }),
    )
}

function problemsOf({ problems, sizes, seed }: Options): readonly ProblemSpec[] {
  return problems.flatMap((name) => {
    const what = laws.includes(name) ? { law: name } : { task: name }
    return sizes.map((count) => ({ what, count, seed }))
  })
}

/** Installs the rivals first if necessary. If that fails, the other contenders still run. */
async function sessionsOf({ environments, browser }: Options): Promise<readonly Session[]> {
  const isInstalled = installed()
  const open = { node: nodeSession, chromium: () => browserSession(isInstalled, browser) }
  const sessions: Session[] = []
  for (const environment of environments) sessions.push(await open[environment]())
  return sessions
}

const page = fileURLToPath(new URL('../../thirdparty/page.ts', import.meta.url))

/** The contenders that get a row with the reason if there is no browser. */
const ours = ['cpu-wasm', 'webgpu', 'webgl'].map((backend) => ({ backend }))

function browserSession(installed: boolean, browser: string | undefined): Promise<Session> {
  const libraries = installed ? [join(resolved('gpu.js'), '../../dist/gpu-browser.js')] : []
  return browserOrReason(ours, () => pageSession(page, { installed }, { libraries, browser }))
}

async function nodeSession(): Promise<Session> {
  const { cc, of, dispose } = await openRivals()
  const { versions, ...environment } = nodeEnvironment()
  return sessionOf({ ...environment, versions: { ...versions, ...(cc && { cc }) } }, of, dispose)
}
