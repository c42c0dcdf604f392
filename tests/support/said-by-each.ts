// Runs scripts with their arguments in one process, and returns the output, the errors and the status of each; see `say-each.mts`.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { patience } from '../../tools/patience.ts'
import { root } from '../../tools/pnpm.mjs'
import type { Said } from './say-each.mts'

/** @param calls a file for each, and the words after it */
export async function saidByEach(calls: readonly (readonly string[])[]): Promise<readonly Said[]> {
  const words = calls.map((call) => JSON.stringify(call))
  const program = join(root, 'tests/support/say-each.mts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, ...words], {
    cwd: root,
    timeout: patience,
  })
  return JSON.parse(stdout)
}
