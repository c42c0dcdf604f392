/** The heading of every table: the machine, the JavaScript environment, and the devices; software devices are marked. */

import { type BenchmarkRecord, type Environment, isMeasured, type Machine } from '../record.ts'
import { duration } from './format.ts'

export function heading({ machine, environments, rows }: BenchmarkRecord): string {
  const devices = rows.flatMap(({ environment, contender, outcome }) => {
    const { name, device, kind } = contender
    if (kind === 'cpu' || !isMeasured(outcome)) return []
    const what = kind === 'software' ? 'is software, it computes on the processor' : 'is a GPU'
    return [`${name} in ${shortName(environment)}: ${device}, ${what}`]
  })
  return [
    machineLine(machine),
    ...environments.filter(({ threads }) => threads > 0).map(environmentLine),
    ...new Set(devices),
  ].join('\n')
}

function machineLine(machine: Machine): string {
  const { platform, load, driver } = machine
  const more = [...(driver === undefined ? [] : [`driver ${driver}`]), ...(load === undefined ? [] : [`load ${load}`])]
  return [machineText(machine), platform, ...more].join(', ')
}

/** `AMD EPYC, 2 cores, 24 GiB`. */
export const machineText = ({ cpu, cores, memoryGiB }: Machine): string =>
  `${cpu}, ${cores} cores${memoryGiB === undefined ? '' : `, ${memoryGiB} GiB`}`

/** Whether so many processes wanted to run that times are doubtful. */
export const isBusy = (machine: Machine): machine is Machine & { readonly load: number } =>
  (machine.load ?? 0) > machine.cores / 2

function environmentLine({ name, threads, isolated, timerResolution }: Environment): string {
  const memory = isolated ? '' : ', not isolated, so that threads cannot share memory'
  return `${name}: ${threads} threads${memory}, clock steps of ${duration(timerResolution)}`
}

/** `Node`, `Chromium`: enough if there is one of each. */
export const shortName = (environment: string): string => environment.replace(/ \d.*$/, '')
