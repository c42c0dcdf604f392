// Triclinic boxes on the processor, in both precisions.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { test } from 'vitest'
import { expectTriclinic, expectTriclinicSteps } from '../support/triclinic.ts'

test.each(['f32', 'f64'] as const)('boxes may be triclinic in %s', (precision) =>
  expectTriclinic(cpuWasm(), precision, { variants: ['blocks'] }),
)

test.each(['f32', 'f64'] as const)('simulations may be in triclinic boxes in %s', (precision) =>
  expectTriclinicSteps(cpuWasm(), precision),
)
