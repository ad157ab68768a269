import { everywhere, type HostileTransport, type Mode } from '../mode.ts'
import { floodModes } from './flood-modes.ts'
import { httpModes } from './http-modes.ts'
import { listModes } from './list-modes.ts'
import { messageModes } from './message-modes.ts'
import { processModes } from './process-modes.ts'

const table = {
  none: { on: everywhere },
  ...processModes,
  ...messageModes,
  ...floodModes,
  ...listModes,
  ...httpModes,
} satisfies Record<string, Mode>

export type HostileMode = keyof typeof table

/** Every mode by its name. A new one is an entry in the table of its family. */
export const modes: Readonly<Record<HostileMode, Mode>> = table

/** The names of all modes that make sense on `transport`. */
export function modesOn(transport: HostileTransport): HostileMode[] {
  const names = Object.keys(modes) as HostileMode[]
  return names.filter((name) => modes[name].on.includes(transport))
}
