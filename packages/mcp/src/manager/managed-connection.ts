import type { Connection } from '../connection/contract.ts'

/** `connection` as a manager hands it out: to close it is to remove its server. */
export function toManagedConnection(
  connection: Connection,
  remove: () => Promise<void>,
): Connection {
  return {
    name: connection.name,
    get state() {
      return connection.state
    },
    get tools() {
      return connection.tools
    },
    open: (options) => connection.open(options),
    client: () => connection.client(),
    callTool: (name, args, options) => connection.callTool(name, args, options),
    refreshTools: (options) => connection.refreshTools(options),
    reconnect: (options) => connection.reconnect(options),
    close: remove,
    [Symbol.asyncDispose]: remove,
  }
}
