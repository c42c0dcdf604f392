/**
 * The public names of `@manybody/conformance`, and nothing else.
 *
 * @module
 */
export type { Case, CaseRun, Expected, RangeParts } from './case.ts'
export { describeConformance, type TestRunner } from './describe-conformance.ts'
export type { Gap } from './gaps.ts'
export type { CaseResult } from './outcome.ts'
export {
  type ConformanceOptions,
  type ConformanceReport,
  type RunConformanceOptions,
  runConformance,
} from './run-conformance.ts'
export { suite } from './suite.ts'
