/** The workloads that constructors here have made. */

import { Known } from '../../ground/made-or-given.ts'
import type { Workload } from './workload.ts'

export const knownWorkloads: Known<Workload> = new Known('workload', ['law.symmetric'])
