/**
 * All that several threads need. It loads with the first device that has several.
 *
 * @module
 */
export { PoolExecutor } from './pool-executor.ts'
export { joinPool, leavePool } from './pools.ts'
