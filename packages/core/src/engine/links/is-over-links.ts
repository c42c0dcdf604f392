/**
 * Tells workloads over links from all others. Their code loads with the first one.
 *
 * @module
 */
import type { LinkWorkload } from './over-links.ts'

export const isOverLinks = <Name extends string>(
  workload: { readonly loop: unknown } | LinkWorkload<Name>,
): workload is LinkWorkload<Name> => Object(workload).loop === 'link'
