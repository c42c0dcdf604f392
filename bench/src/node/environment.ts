/** Node as an environment of the record. */

import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { Environment } from '../record.ts'
import { timerResolution } from '../timing/timer-resolution.ts'

/** @param webgpu the version of that package, if there is no package to read it from */
export function nodeEnvironment(webgpu = installedVersion()): Environment {
  const { node, v8 } = process.versions
  return {
    name: `Node ${node}`,
    isolated: true,
    threads: availableParallelism(),
    timerResolution: timerResolution(),
    versions: { node, v8, webgpu },
  }
}

const installedVersion = (): string =>
  (createRequire(import.meta.url)('webgpu/package.json') as { readonly version: string }).version
