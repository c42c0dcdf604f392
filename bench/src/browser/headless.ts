/** The code inside the page of the headless browser: it runs the backends. */

import type { BackendSpec } from '../contenders/backend.ts'
import { localSession } from '../sessions/local-session.ts'
import { browserEnvironment } from './environment.ts'
import { offer } from './page-api.ts'

offer((specs: readonly BackendSpec[]) => localSession(browserEnvironment(), specs))
