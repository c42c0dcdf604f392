// Builds every package into its dist folder, in the order of their dependencies.
// It needs an installed repository: the npm script runs setup.mjs first.

import { pnpm } from './pnpm.mjs'

pnpm('--recursive', 'run', 'build')
