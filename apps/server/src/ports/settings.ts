import type { Noted } from './page.ts'

/** Settings of the whole installation that are changed while it runs. */
export interface Settings {
  get(name: string): Promise<string | undefined>
  /** Sets it where it is not set yet; gives what is set then. */
  setIfAbsent(name: string, value: string): Promise<string>
  /** Takes the next revision of the topic `tenants` of all tenants (`*`), in one transaction. */
  change(name: string, value: string, options?: Noted): Promise<void>
}
