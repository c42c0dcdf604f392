/** The subject of one of our rows: a contender by its name, and the device in its report. */

import type { Report } from '@manybody/core'
import type { Who } from '../record.ts'

export const whoRan = (
  name: string,
  { device, kind, precision, variant }: Pick<Report, 'device' | 'kind' | 'precision' | 'variant'>,
): Who => ({ name, rival: false, device, kind, precision, variant })
