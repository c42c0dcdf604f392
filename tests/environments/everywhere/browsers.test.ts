// The conformance suite of the packed packages, on every backend of Firefox and WebKitGTK, if they are installed here.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'
import { browsers } from '../../other-browsers/browsers.ts'
import { preparedApp } from '../prepared.ts'

const app = await preparedApp()

for (const [name, title] of [
  ['firefox', 'Firefox'],
  ['webkit', 'WebKitGTK'],
] as const) {
  const installed = await browsers[name]?.()
  if (!installed) {
    test.skip(`${title}: it is not installed here, or there is no display`, () => {})
    continue
  }
  test(`${title}: ${installed.version}`, { timeout: 1_800_000 }, async () => {
    const command = join(root, 'tests/other-browsers/run.ts')
    const args = ['--import', 'tsx', command, name, '--project', app]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
    const suites = [...stdout.matchAll(/: (\d+) of (\d+) cases pass/g)].map(([, passed, all]) => [passed, all])
    expect(suites.length, stdout).toBeGreaterThan(0)
    for (const [passed, all] of suites) expect(passed, stdout).toBe(all)
    console.log(stdout)
  })
}
