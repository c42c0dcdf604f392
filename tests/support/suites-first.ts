// The order of test files: within a project, files that run a whole suite come first. Vitest sorts files by their time in an earlier run, and on
// a fresh clone by their length, which says nothing about a file of a few lines that runs thousands of cases. At the end of a run it would
// keep one processor busy, and leave the others idle.

import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestProject, type TestSpecification } from 'vitest/node'

const ofSuites = /\b(describeConformance|runConformance|everySimulation|shortSimulations)\b/

export class SuitesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = new Map<TestProject, Record<'suites' | 'others', TestSpecification[]>>()
    for (const file of await super.sort(files)) {
      const parts = projects.get(file.project) ?? { suites: [], others: [] }
      projects.set(file.project, parts)
      parts[ofSuites.test(readFileSync(file.moduleId, 'utf8')) ? 'suites' : 'others'].push(file)
    }
    return [...projects.values()].flatMap(({ suites, others }) => [...suites, ...others])
  }
}
