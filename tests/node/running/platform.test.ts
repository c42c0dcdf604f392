// On machines that cannot run some tests, each of these is named with the reason. On Linux x64 none is skipped.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'
import { skipped, skippedOn } from '../../support/platform.ts'

const testFiles = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
  .map((name) => `tests/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))

for (const { path, reason } of skipped) test.skip(`${path}: ${reason}`, () => {})

test('nothing is skipped on Linux x64', () => {
  expect(skippedOn('linux', 'x64')).toEqual([])
})

describe.for([
  ['darwin', 'arm64'],
  ['win32', 'x64'],
  ['linux', 'arm64'],
] as const)('on %s %s', ([platform, arch]) => {
  const left = skippedOn(platform, arch)

  test('skipped tests exist, and have a reason', () => {
    for (const { path, reason } of left) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(reason).toMatch(/\w+ \w+/)
    }
  })

  test('no remaining test needs the browser or the software GPU', () => {
    const needing = testFiles.filter((file) =>
      /tools\/(chromium|software-gpu|unpacked)/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(needing).toContain('tests/node/bench/page.test.ts')
    for (const file of needing)
      expect(
        left.some(({ path }) => file.startsWith(path)),
        file,
      ).toBe(true)
  })
})
