/** A server in as few words as possible, for it is started often. */
export const shell = `
while read -r line; do
  id=\${line#*'"id":'}; id=\${id%%[,\\}]*}
  case $line in
    *'"initialize"'*) r='"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},
      "serverInfo":{"name":"sh","version":"1"}}' ;;
    *'"tools/list"'*) r='"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) r='"result":{"content":[{"type":"text","text":"hi"}]}' ;;
    *notifications*) continue ;;
    *) r='"error":{"code":-32601,"message":"no"}' ;;
  esac
  echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$id,$r}" | tr -d '\\n'; echo
done`
