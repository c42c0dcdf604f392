// Builds every package into its dist folder, in the order of their dependencies.
// It needs an installed repository: the npm script runs setup.mjs first.

import { pnpm } from './pnpm.mjs'
import { argumentsFrom } from './support/arguments.mjs'

argumentsFrom(
  `Usage: npm run build

Builds every package into its dist folder.`,
  {},
)
await pnpm({ shown: false }, '--recursive', 'run', 'build')
