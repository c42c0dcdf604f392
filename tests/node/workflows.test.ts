// The workflows: every action is pinned by a hash, and jobs that install dependencies have no rights to publish.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = new URL('../../.github/workflows/', import.meta.url)
const workflows = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)

/** The text of each job, by its name. */
function jobsOf(text: string): ReadonlyMap<string, string> {
  const [, jobs = ''] = text.split('\njobs:\n')
  return new Map(
    jobs
      .split(/^(?= {2}\S)/m)
      .filter((job) => job.trim() !== '')
      .map((job) => [/^ {2}(\S+):/.exec(job)?.[1] ?? '', job]),
  )
}

test.each(workflows)('%s pins actions by the hash of a commit, and gives rights to jobs alone', (_, text) => {
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action)
  expect(used.length).toBeGreaterThan(0)
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  const [head = ''] = text.split('\njobs:\n')
  expect(head).toContain('permissions:\n  contents: read')
  expect(head).not.toContain('write')
})

test.each(workflows)('%s installs and runs nothing foreign where a job may write', (_, text) => {
  for (const [name, job] of jobsOf(text)) {
    if (!job.includes('write')) continue
    const commands = [...job.matchAll(/run: (.*)/g)].map(([, command]) => command)
    for (const command of commands) expect(command, name).toMatch(/^node scripts\/release\/publish\.ts /)
  }
})

test('only the job that publishes may prove who it is', () => {
  const jobs = jobsOf(new Map(workflows).get('release.yml') ?? '')
  const proving = [...jobs].filter(([, job]) => job.includes('id-token')).map(([name]) => name)
  expect(proving).toEqual(['publish'])
  expect(jobs.get('publish')).toContain('needs: [test, pack]')
})

test('the script that publishes imports files of this repository and of Node alone', () => {
  const seen = new Set<string>()
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return
    seen.add(url.href)
    for (const [, name = ''] of readFileSync(fileURLToPath(url), 'utf8').matchAll(/^import .* from '(.*)'$/gm)) {
      expect(name, url.pathname).toMatch(/^(?:node:|\.\.?\/)/)
      if (name.startsWith('.')) visit(new URL(name, url))
    }
  }
  visit(new URL('../../scripts/release/publish.ts', import.meta.url))
  expect(seen.size).toBeGreaterThan(3)
})
