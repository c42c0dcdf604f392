// `npm run setup`: installs everything. The first step of the npm scripts that need it.

import { argumentsFrom } from '../tools/arguments.mjs'
import { installed } from './support/install.mjs'

argumentsFrom(
  `Usage: npm run setup

Installs what pnpm-lock.yaml names, unless that is done already. Other commands do this themselves.`,
  {},
)
await installed('everything')
