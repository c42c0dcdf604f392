// Runs an installed command-line tool in the root folder, quietly: its output is shown only if it fails.

import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../tools/pnpm.mjs'

const binaries = join(root, 'node_modules/.bin')

/** Whether the command succeeded. */
export async function command(name: string, ...args: string[]): Promise<boolean> {
  try {
    await promisify(execFile)(name, args, {
      cwd: root,
      env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` },
      maxBuffer: 2 ** 26,
    })
    return true
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    console.error(`${message.split('\n')[0]}\n${stdout}${stderr}`)
    return false
  }
}
