/** What whoever threw it says, whatever it is. */
export function toMessage(error: unknown): string {
  return String(Object(error).message ?? error)
}
