import { defineWords } from '../../words/words.ts'

export const testWords = defineWords({
  en: {
    title: (name: string) => `Test of ${name}`,
    report: 'Test',
    running: 'Testing…',
    again: 'Test again',
    close: 'Close',
    ok: (n: number) => `It works: ${n === 1 ? '1 tool' : `${n} tools`}.`,
    failed: 'It does not work yet. The first step that failed says what to do.',
    protocol: (version: string) => `protocol ${version}`,
    statuses: { ok: 'Done', failed: 'Failed', skipped: 'Not reached', waiting: 'Waiting' },
    steps: {
      start: { local: 'Start the command', remote: 'Open the connection' },
      initialize: { local: 'Agree on the protocol', remote: 'Be let in, agree on the protocol' },
      'list tools': { local: 'List the tools', remote: 'List the tools' },
      'check schemas': { local: 'Check their schemas', remote: 'Check their schemas' },
    },
    fixes: {
      start: {
        local: 'Check that the program is installed where DataAgent runs, and its arguments.',
        remote: 'Check the address, and that the server can be reached from where DataAgent runs.',
      },
      initialize: {
        local: 'Look at the log below: the program must speak MCP on its standard output.',
        remote:
          'Check the address with its path, and the token. The server must run and be reached from where DataAgent runs. Older servers need the connection HTTP+SSE.',
      },
      'list tools': {
        local: 'The server answers but does not list its tools. Look at the log below.',
        remote: 'The server answers but does not list its tools. It may need other permissions.',
      },
      'check schemas': {
        local: 'These tools are left out until their author mends them; the others work.',
        remote: 'These tools are left out until their author mends them; the others work.',
      },
    },
    fix: 'What to do',
    log: 'What the server has written last',
  },
  zh: {
    title: (name: string) => `测试 ${name}`,
    report: '测试',
    running: '正在测试…',
    again: '再次测试',
    close: '关闭',
    ok: (n: number) => `可以使用：${n} 个工具。`,
    failed: '还不能使用。第一个失败的步骤说明了处理办法。',
    protocol: (version: string) => `协议 ${version}`,
    statuses: { ok: '完成', failed: '失败', skipped: '未执行', waiting: '等待中' },
    steps: {
      start: { local: '启动命令', remote: '建立连接' },
      initialize: { local: '协商协议', remote: '验证身份并协商协议' },
      'list tools': { local: '列出工具', remote: '列出工具' },
      'check schemas': { local: '检查参数定义', remote: '检查参数定义' },
    },
    fixes: {
      start: {
        local: '检查 DataAgent 所在的机器上是否安装了该程序，以及参数是否正确。',
        remote: '检查地址，以及从 DataAgent 所在的机器能否访问该服务。',
      },
      initialize: {
        local: '查看下面的日志：程序须在标准输出上使用 MCP。',
        remote:
          '检查地址（含路径）和令牌。服务须已启动，并能从 DataAgent 所在的机器访问。旧式服务请选择 HTTP+SSE 连接。',
      },
      'list tools': {
        local: '服务有响应，但没有列出工具。请查看下面的日志。',
        remote: '服务有响应，但没有列出工具，可能需要其他权限。',
      },
      'check schemas': {
        local: '作者修正之前不会提供这些工具，其余工具可以使用。',
        remote: '作者修正之前不会提供这些工具，其余工具可以使用。',
      },
    },
    fix: '处理办法',
    log: '服务最后输出的内容',
  },
})
