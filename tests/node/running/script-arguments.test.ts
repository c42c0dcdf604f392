// Every npm script with arguments prints help for --help without starting, and reports unknown arguments in one line.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patience } from '../../../tools/patience.ts'
import { root } from '../../../tools/pnpm.mjs'
import { saidByEach } from '../../support/said-by-each.ts'
import type { Said } from '../../support/say-each.mts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** Our scripts, with the file that each runs. The others are tools with their own help. */
const files = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file] = /(?:^|&& )(?:node|tsx) (\S+\.(?:ts|mjs))$/.exec(script) ?? []
  return file === undefined ? [] : [{ name, file }]
})

/** Scripts that start another process, which alone knows the arguments. */
const starting = ['start', 'bench:gpu']
const asked = files.flatMap(({ name, file }) => (starting.includes(name) ? [] : [[file, '--help'], [file, '--nonesuch']])) // biome-ignore format: two
const wrongWords = [
  ['scripts/release/owner.ts', 'two words'],
  ['live/run.ts', '--port', 'abc'],
]
const calls = [...asked, ...wrongWords]
const answers = await saidByEach(calls)
const known = new Map(answers.map((said, n) => [JSON.stringify(calls[n]), said]))

function run(...call: readonly string[]): Said {
  const found = known.get(JSON.stringify(call))
  if (found) return found
  return spawnSync(process.execPath, ['--import', 'tsx', ...call], {
    cwd: root,
    encoding: 'utf8',
    timeout: patience,
  })
}

test('package.json names the scripts', () => {
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['start', 'bench', 'bench:gpu', 'bench:page', 'check', 'pack', 'tarballs', 'software-gpu']),
  )
})

test.concurrent.for(files)('the script $name has help and rejects unknown arguments', ({ name, file }) => {
  const help = run(file, '--help')
  expect(help.stdout).toMatch(/usage: npm /i)
  expect(help.stdout).not.toMatch(/== lint|served at|The page is in/)
  expect(help).toMatchObject({ stderr: '', status: 0 })

  const wrong = run(file, '--nonesuch')
  expect(wrong.stderr).toMatch(/^[a-z :-]+: .*--nonesuch.*see --help\n$/)
  expect(wrong, name).toMatchObject({ stdout: '', status: 2 })
})

test('an owner has a name that the code host allows', () => {
  const wrong = run('scripts/release/owner.ts', 'two words')
  expect(wrong).toMatchObject({ stderr: expect.stringContaining("got 'two words'"), stdout: '', status: 2 })
})

test('the live page rejects a port that is none', () => {
  const wrong = run('live/run.ts', '--port', 'abc')
  expect(wrong).toMatchObject({
    stderr: "live: --port expected a number from 0 to 65535, got 'abc'; see --help\n",
    status: 2,
  })
})
