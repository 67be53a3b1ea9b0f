import { describe, expect, test } from 'vitest';
import { meantRole } from '../../src/relevance/meant-role.js';
import { cpuMilliseconds } from '../time.js';

describe('the side of a chat that a question asks for', () => {
  test.each([
    'What did you say about Rome?',
    'Remind me what you said about my visa.',
    'What did you recommend to me?',
    'Can you remind me what the name was of that hostel you mentioned?',
    'I told you about my trip, and I was wondering what you suggested.',
    'I want to follow up on our chat on posture. You’ve listed some videos. Can you remind me of the second?',
    "I'm planning my trip again and I wanted to confirm, what is the number that you provided me earlier?",
    'Could you please tell me your recommendation for my knee again?',
    'What was your first suggestion when I said that I am tired?',
    'Which of the sights on your list are free?',
    'In the song that you wrote for me, who dies?',
    'Have you ever told me how high it is?',
    'Remind me of the name of that restaurant.',
  ])('%s: the assistant', (question) => {
    expect(meantRole(question)).toBe('assistant');
  });

  test.each([
    'What did I say?',
    'What did I tell you about my cat?',
    'What did I do after you recommended Rome?',
    'How much did I spend at the restaurant you suggested?',
    'I was wondering when I told you that I moved.',
    'Do you remember what my dog is called?',
    'Remind me when my appointment is.',
    'Can you recommend a film for me?',
    'Where do I live?',
    'What degree did I graduate with?',
    'What was my answer to what you asked?',
    'I have two cats. What are they called?',
    'What did the doctor tell me?',
    'You gave me tips. What did I say I would try?',
  ])('%s: the user', (question) => {
    expect(meantRole(question)).toBe('user');
  });

  test.each([
    '',
    '?',
    'How high is it?',
    'Tell me how high it is.',
    'I was wondering how high it is.',
    'I was going through our previous chat on Borges. What did he say about the library?',
    'Where did we leave off?',
    'Did you know that it rains?',
    'How do you boil an egg?',
    'What did Ann tell Bob?',
    'youtube did island',
  ])('%s: neither', (question) => {
    expect(meantRole(question)).toBeUndefined();
  });

  test('case, line breaks and apostrophes do not matter', () => {
    expect(meantRole('WHAT\nDID\r\nYOU  SAY TO ME?')).toBe('assistant');
    expect(meantRole("You've told me.\nHow high is it?")).toBe('assistant');
  });

  test.each(['i was wondering ', 'remind me, ', 'you ', 'you have ', 'our ', 'my a ', 'a'])(
    '%s, for 200,000 characters, takes linear time',
    async (part) => {
      const long = part.repeat(200_000 / part.length);
      expect(await cpuMilliseconds(() => meantRole(long))).toBeLessThan(500);
    },
  );
});
