// Builds every package into its dist folder, in the order of their dependencies.
// It needs an installed repository: the npm script runs setup.mjs first.

import { argumentsFrom } from '../tools/arguments.mjs'
import { pnpm } from '../tools/pnpm.mjs'

argumentsFrom(
  `Usage: npm run build

Builds every package into its dist folder.`,
  {},
)
await pnpm({ shown: false }, '--recursive', 'run', 'build')
