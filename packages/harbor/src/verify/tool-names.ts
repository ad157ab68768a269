/** Whether the tool that ran is the one that is meant: with its server's name, or without. */
export function isSameTool(expected: string, ran: string): boolean {
  const [meant, actual] = [toPlainName(expected), toPlainName(ran)]
  return actual === meant || actual.endsWith(`.${meant}`)
}

/**
 * `server.tool` for every way to write it: the SDK name `mcp.server.tool`, the wire name
 * `mcp--server--tool`, `server/tool`, and `mcp__server__tool` as other agents have it. Tools of the
 * platform itself have no server's name.
 */
function toPlainName(name: string): string {
  const doubled = /^mcp__(.+?)__(.+)$/.exec(name)
  const dotted = doubled ? `${doubled[1]}.${doubled[2]}` : name.replaceAll(/--|\//g, '.')
  return dotted.replace(/^mcp\./, '').replace(/^dataagent\./, '')
}
