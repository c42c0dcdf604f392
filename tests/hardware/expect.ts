/**
 * The parts of Vitest that the cases of simulations need, for the bundle: `expect`, and the settings of `npm test`. It replaces the package
 * `vitest`, which only works in its own processes.
 */

import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)

/** @public */
export const expect: typeof chai.expect = chai.expect

/** @public */
export const inject = (): undefined => undefined
