import { defineWords } from '../words/words.ts'

export const tourWords = defineWords({
  en: {
    label: 'Tour',
    count: (at: number, of: number) => `Step ${at} of ${of}`,
    back: 'Back',
    next: 'Next',
    done: 'Done',
    skip: 'End the tour',
    steps: {
      ask: {
        title: 'Ask a question',
        text: 'One is filled in for you: press Enter. You see each tool that is used, with its arguments and its result.',
        after:
          'That is the answer. Each line above it is a tool that was called: open one to see what it was given and what it gave.',
      },
      approve: {
        title: 'Stay in charge',
        text: 'This one changes something, so the assistant asks you first. Press Enter, then allow it or reject it.',
        after:
          'Look at what it wants to do, then allow it once or reject it. What you decide is kept with the call.',
      },
      server: {
        title: 'Add an MCP server',
        text: 'Paste whatever its page says: a link, a command, JSON of Claude or Cursor. It is read, tested and connected.',
        after: '',
      },
      expose: {
        title: 'Connect Dify, Claude, Cursor',
        text: 'A tool group is a choice of tools with a key. Make one, and copy what the other program needs.',
        after: '',
      },
    },
  },
  zh: {
    label: '导览',
    count: (at: number, of: number) => `第 ${at} 步，共 ${of} 步`,
    back: '上一步',
    next: '下一步',
    done: '完成',
    skip: '结束导览',
    steps: {
      ask: {
        title: '提一个问题',
        text: '问题已经填好，按 Enter 即可。用到的每个工具、参数和结果都能看到。',
        after: '这就是回答。上面每一行是一次工具调用，展开可以看到参数和结果。',
      },
      approve: {
        title: '由你决定',
        text: '这个问题会改动数据，所以助手会先问你。按 Enter，然后选择允许或拒绝。',
        after: '看清它要做什么，再选择允许一次或拒绝。你的决定会记录在这次调用上。',
      },
      server: {
        title: '添加 MCP 服务',
        text: '把它的说明粘贴进来即可：网址、命令，或 Claude、Cursor 的 JSON。系统会识别、测试并连接。',
        after: '',
      },
      expose: {
        title: '接入 Dify、Claude、Cursor',
        text: '工具组是一组选好的工具，并带有密钥。创建一个，复制对方程序需要的内容。',
        after: '',
      },
    },
  },
})
