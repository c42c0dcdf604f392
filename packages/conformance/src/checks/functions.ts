/**
 * Every function must have the accuracy that core promises over its whole range, and the promised values outside.
 *
 * @module
 */
import { measured } from '../functions/arguments.ts'
import { edgeFaults, measuredErrors } from '../functions/measure.ts'
import type { Check } from './check.ts'

export const functionChecks: readonly Check[] = [
  ...measured.map(
    (one): Check => ({
      name: `functions: accuracy of ${one.text}`,
      async faults(device) {
        const errors = await measuredErrors(device, one)
        return errors
          .filter(({ ofPromised }) => !(ofPromised <= 1))
          .map(({ at, ofPromised }) => `the error is ${ofPromised.toPrecision(3)} times what is promised at ${at}`)
      },
    }),
  ),
  { name: 'functions: values at the edges', faults: edgeFaults },
]
