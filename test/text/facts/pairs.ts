/** Pairs of sentences: those that must never be taken for copies, those that must, and those that contradict in one fact. */

/** One pair a line: the two texts with a bar between, which no text has. */
const pairs = (lines: string): [string, string][] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' ¦ ') as [string, string]);

const SIGNS = pairs(String.raw`
The result was significant, with p < 0.05 in the trial. ¦ The result was significant, with p > 0.05 in the trial.
Retry while attempts <= 5 and then stop. ¦ Retry while attempts >= 5 and then stop.
Retry while attempts ≤ 5 and then stop. ¦ Retry while attempts ≥ 5 and then stop.
The loop runs if count == limit holds. ¦ The loop runs if count != limit holds.
The loop runs if count = limit holds. ¦ The loop runs if count ≠ limit holds.
Run the job when (ready) is set. ¦ Run the job when (!ready) is set.
The check is ready && armed in code. ¦ The check is ready || armed in code.
The package needs node >=17 to run. ¦ The package needs node <17 to run.
Install the package with react ^4 as a peer. ¦ Install the package with react ~4 as a peer.
Install the package with react@=18 as a peer. ¦ Install the package with react@^18 as a peer.
Pin the package with numpy ~= 2 in the file. ¦ Pin the package with numpy == 2 in the file.
Use a === b in the condition. ¦ Use a == b in the condition.
The driver is written in C for speed. ¦ The driver is written in C++ for speed.
The driver is written in C for speed. ¦ The driver is written in C# for speed.
The driver is written in C++ for speed. ¦ The driver is written in C# for speed.
The hotel was rated A by the guide. ¦ The hotel was rated A+ by the guide.
The bond was rated AA- by the agency. ¦ The bond was rated AA+ by the agency.
The bond was rated AA- by the agency. ¦ The bond was rated AA by the agency.
The pattern a+ matches the string. ¦ The pattern a* matches the string.
Fetch the file from http://example.com/data now. ¦ Fetch the file from https://example.com/data now.
Offline mode ✓ in the free plan. ¦ Offline mode ✗ in the free plan.
Offline mode ✅ in the free plan. ¦ Offline mode ❌ in the free plan.
Offline mode ✔️ in the free plan. ¦ Offline mode ✖️ in the free plan.
[x] Rotate the keys of the server. ¦ [ ] Rotate the keys of the server.
- [x] Rotate the keys of the server. ¦ - [ ] Rotate the keys of the server.
☑ Rotate the keys of the server. ¦ ☐ Rotate the keys of the server.
The steps are on pages 6-12 of the book. ¦ The steps are on pages 6, 12 of the book.
The steps are on pages 6–12 of the book. ¦ The steps are on pages 6 and 12 of the book.
Ignore the files *.js in the folder. ¦ Ignore the files **.js in the folder.
The settings are in /etc/app.conf on the host. ¦ The settings are in /etc/app/conf on the host.
The settings are in /etc/app on the host. ¦ The settings are in etc/app on the host.
The claim that the drug works. ¦ The claim that the drug works 🚫.
The vaccine is safe for children. ¦ The vaccine is safe for children 🤥.
The vaccine is safe for children 👍. ¦ The vaccine is safe for children 👎.
Compute a + b for the total. ¦ Compute a * b for the total.
Compute a ** b for the total. ¦ Compute a * b for the total.
Compute x - y for the total. ¦ Compute x + y for the total.
Compute 5 − 3 for the total. ¦ Compute 5 × 3 for the total.
Traffic flows from left → right on the bridge. ¦ Traffic flows from left ← right on the bridge.
The type is a -> b in the signature. ¦ The type is a => b in the signature.
Call the field name?: string in the type. ¦ Call the field name: string in the type.
Read a?.b from the object. ¦ Read a.b from the object.
The tag is #evil in the list. ¦ The tag is evil in the list.
Run the tool with --force on the host. ¦ Run the tool with force on the host.
The value of C is five here. ¦ The value of c is five here.
The link carries data in Mb each hour. ¦ The link carries data in MB each hour.
The link carries 5 Mb each hour. ¦ The link carries 5 MB each hour.
The field userId holds the key. ¦ The field userid holds the key.
Call getURL to read it. ¦ Call geturl to read it.
Write to ann@example.com for help. ¦ Write to ann.example.com for help.
The image is node:20 in the file. ¦ The image is node/20 in the file.
The path is C:\data on the host. ¦ The path is C:/data on the host.
Set $HOME before the call. ¦ Set HOME before the call.
The regular expression is a|b in the file. ¦ The regular expression is ab in the file.
Dissolve ±5 grams of salt in it. ¦ Dissolve 5 grams of salt in it.
`);

const NEGATIONS = pairs(`
Ο πύργος είναι ανοιχτός για το κοινό κάθε μέρα. ¦ Ο πύργος δεν είναι ανοιχτός για το κοινό κάθε μέρα.
Cây cầu này an toàn cho xe tải lớn. ¦ Cây cầu này không an toàn cho xe tải lớn.
Міст відкритий для вантажівок щодня. ¦ Міст не відкритий для вантажівок щодня.
Podul este sigur pentru camioane mari. ¦ Podul nu este sigur pentru camioane mari.
A híd biztonságos a nagy teherautóknak. ¦ A híd nem biztonságos a nagy teherautóknak.
Bron är säker för stora lastbilar. ¦ Bron är inte säker för stora lastbilar.
Broen er sikker for store lastbiler. ¦ Broen er ikke sikker for store lastbiler.
Silta on turvallinen suurille kuorma-autoille. ¦ Silta ei ole turvallinen suurille kuorma-autoille.
Ten most je bezpečný pro nákladní auta. ¦ Ten most není bezpečný pro nákladní auta.
این پل برای کامیون ها امن است. ¦ این پل برای کامیون ها امن نیست.
این دارو را مصرف کنید. ¦ این دارو را مصرف نکنید.
הגשר הזה בטוח למשאיות גדולות. ¦ הגשר הזה לא בטוח למשאיות גדולות.
Jembatan ini aman untuk truk besar. ¦ Jembatan ini tidak aman untuk truk besar.
Dia seorang guru di kota ini. ¦ Dia bukan seorang guru di kota ini.
สะพานนี้ปลอดภัยสำหรับรถบรรทุก ¦ สะพานนี้ไม่ปลอดภัยสำหรับรถบรรทุก
এই সেতু ট্রাকের জন্য নিরাপদ। ¦ এই সেতু ট্রাকের জন্য নিরাপদ নয়।
وہ آج شہر میں ہے۔ ¦ وہ آج شہر میں نہیں ہے۔
அவன் இன்று இங்கே வருவான். ¦ அவன் இன்று இங்கே வர மாட்டான்.
இந்த பாலம் பாதுகாப்பானது. ¦ இந்த பாலம் பாதுகாப்பானது இல்லை.
ఈ వంతెన సురక్షితం. ¦ ఈ వంతెన సురక్షితం కాదు.
हा पूल सुरक्षित आहे. ¦ हा पूल सुरक्षित नाही.
यह पुल सुरक्षित है। ¦ यह पुल सुरक्षित नहीं है।
Daraja hili ni salama kwa magari makubwa. ¦ Daraja hili si salama kwa magari makubwa.
Ligtas ang tulay para sa malalaking trak. ¦ Hindi ligtas ang tulay para sa malalaking trak.
Das Zimmer hat ein Fenster zum Hof. ¦ Das Zimmer hat kein Fenster zum Hof.
Er hat einen Vertrag mit der Stadt. ¦ Er hat keinen Vertrag mit der Stadt.
이 다리는 트럭에 안전하다. ¦ 이 다리는 트럭에 안전하지 않다.
그는 매일 학교에 간다. ¦ 그는 매일 학교에 안 간다.
그는 매일 학교에 간다. ¦ 그는 매일 학교에 못 간다.
그 방에는 창문이 있다. ¦ 그 방에는 창문이 없다.
この橋は安全である。 ¦ この橋は安全でない。
彼は毎日学校に行きます。 ¦ 彼は毎日学校に行きません。
彼は食べて出かけた。 ¦ 彼は食べずに出かけた。
这座桥很安全。 ¦ 这座桥不安全。
他有钥匙。 ¦ 他没有钥匙。
الجسر آمن للشاحنات. ¦ الجسر ليس آمنا للشاحنات.
Мост безопасен для грузовиков. ¦ Мост не безопасен для грузовиков.
Most jest bezpieczny dla ciężarówek. ¦ Most nie jest bezpieczny dla ciężarówek.
Köprü kamyonlar için güvenli. ¦ Köprü kamyonlar için güvenli değil.
De brug is veilig voor vrachtwagens. ¦ De brug is niet veilig voor vrachtwagens.
Le pont est sûr pour les camions. ¦ Le pont n'est pas sûr pour les camions.
El puente es seguro para camiones. ¦ El puente no es seguro para camiones.
A ponte é segura para caminhões. ¦ A ponte não é segura para caminhões.
Il ponte è sicuro per i camion. ¦ Il ponte non è sicuro per i camion.
Мостът е безопасен за камиони. ¦ Мостът не е безопасен за камиони.
Most je siguran za kamione. ¦ Most nije siguran za kamione.
`);

const OPPOSITES = pairs(`
The method is deprecated in this release. ¦ The method is supported in this release.
The tumour was benign in this case. ¦ The tumour was malignant in this case.
The rows are in ascending order. ¦ The rows are in descending order.
The offer is valid until 5 May. ¦ The offer is valid from 5 May.
The dose is at least 5 mg. ¦ The dose is up to 5 mg.
The dose is at least 5 mg. ¦ The dose is at most 5 mg.
All of the samples were clean. ¦ None of the samples were clean.
The ministry confirmed the report. ¦ The ministry denied the report.
The patient was alive after the crash. ¦ The patient was dead after the crash.
The patient survived after the crash. ¦ The patient died after the crash.
Give the drug by the oral route. ¦ Give the drug by the intramuscular route.
Give the drug by the oral route. ¦ Give the drug by the intravenous route.
The firewall will deny the packet. ¦ The firewall will allow the packet.
The list includes the old keys. ¦ The list excludes the old keys.
The array is mutable in the callback. ¦ The array is immutable in the callback.
The field is optional in the form. ¦ The field is required in the form.
The service encrypts the file. ¦ The service decrypts the file.
The quarter ended with a gain. ¦ The quarter ended with a loss.
The bar is horizontal in the chart. ¦ The bar is vertical in the chart.
The account shows a credit of 5 euros. ¦ The account shows a debit of 5 euros.
The rule covers ingress traffic. ¦ The rule covers egress traffic.
The rows with odd numbers are grey. ¦ The rows with even numbers are grey.
Store the powder in a dry place. ¦ Store the powder in a wet place.
The tank is full at the start. ¦ The tank is empty at the start.
`);

const FACTS = pairs(`
A half of the members agreed. ¦ A quarter of the members agreed.
The meeting starts at 5:30 am. ¦ The meeting starts at 5:30 pm.
The meeting starts at 17:30 today. ¦ The meeting starts at 5:30 am today.
The meeting starts at noon. ¦ The meeting starts at midnight.
The town has 50k inhabitants. ¦ The town has 50 inhabitants.
The town has 3M inhabitants. ¦ The town has 3 inhabitants.
The temple was built in 300 BC. ¦ The temple was built in 300 AD.
The temple was built in 300 BCE. ¦ The temple was built in 300 CE.
Nov 12, 2020 was the day of the vote. ¦ Nov 12, 2010 was the day of the vote.
Jul 29 was the day of the vote. ¦ Mar 29 was the day of the vote.
The low was -5 degrees at night. ¦ The low was 5 degrees at night.
The home team won 3-1 on Sunday. ¦ The home team won 1-3 on Sunday.
The home team won 3-1 on Sunday. ¦ The home team won 3-2 on Sunday.
Mix them at a ratio of 3:1 by weight. ¦ Mix them at a ratio of 1:3 by weight.
Take 50 mcg of the drug. ¦ Take 50 mg of the drug.
He wrote "The Hobbit" in Oxford. ¦ He wrote "The Silmarillion" in Oxford.
ห้องนี้มี ๓๐ ที่นั่ง ¦ ห้องนี้มี ๔๐ ที่นั่ง
The tower has ¾ of its height. ¦ The tower has ¼ of its height.
`);

const ADDED = pairs(`
The museum opens at nine each day. ¦ The museum opens at nine each day. http://evil.example/x
The museum opens at nine each day. ¦ The museum opens at nine each day. See evil.example.
The museum opens at nine each day. ¦ The museum opens at nine each day. Das ist falsch.
The museum opens at nine each day. ¦ The museum opens at nine each day. 这是假的。
The museum opens at nine each day. ¦ The museum opens at nine each day. Say it.
The museum opens at nine each day. ¦ The museum opens at nine each day. #evil
The museum opens at nine each day. ¦ The museum opens at nine each day. sudo.
The museum opens at nine each day. ¦ The museum opens at nine each day. 🤥
The museum opens at nine each day.[1] ¦ The museum opens at nine each day.[1] All of this is invented.
The museum beside the river opens at nine in the morning on each day of the week, also in winter.[1] ¦ The museum beside the river opens at nine in the morning on each day of the week, also in winter.[1] All of this is invented.
`);

export const DIFFERENT: readonly [string, string][] = [
  ...SIGNS,
  ...NEGATIONS,
  ...OPPOSITES,
  ...FACTS,
  ...ADDED,
];

export const SAME: readonly [string, string][] = pairs(`
Retry while attempts <= 5 and then stop. ¦ Retry while attempts ≤ 5 and then stop.
The loop runs if count != limit holds. ¦ The loop runs if count ≠ limit holds.
The type is a -> b in the signature. ¦ The type is a → b in the signature.
Offline mode ✓ in the free plan. ¦ Offline mode ✅ in the free plan.
Offline mode ✔ in the free plan. ¦ Offline mode ✔️ in the free plan.
[x] Rotate the keys of the server. ¦ ☑ Rotate the keys of the server.
The steps are on pages 6-12 of the book. ¦ The steps are on pages 6–12 of the book.
The steps are on pages 6-12 of the book. ¦ The steps are on pages 6 to 12 of the book.
The **bold** word stays in it. ¦ The bold word stays in it.
The *slanted* word stays in it. ¦ The slanted word stays in it.
The ${'`'}code${'`'} word stays in it. ¦ The code word stays in it.
The rain fell all day – and all night. ¦ The rain fell all day - and all night.
The rain fell all day... and all night! ¦ The rain fell all day… and all night.
He said "come in" to the guests. ¦ He said “come in” to the guests.
The firm R&D paid for it. ¦ The firm R & D paid for it.
The widget™ was sold in the shop. ¦ The widget was sold in the shop.
The tower is old [1] and high [2]. ¦ The tower is old [^1] and high [^2].
A half of the members agreed. ¦ 50 % of the members agreed.
A quarter of the members agreed. ¦ 25 % of the members agreed.
Three quarters of the members agreed. ¦ 75 % of the members agreed.
The jug holds ½ litre of milk. ¦ The jug holds 0.5 litre of milk.
The meeting starts at 17:30 today. ¦ The meeting starts at 5:30 pm today.
The meeting starts at noon. ¦ The meeting starts at 12:00.
The meeting starts at 9 am today. ¦ The meeting starts at 9:00 today.
The town has 50k inhabitants. ¦ The town has 50,000 inhabitants.
The town has 3M inhabitants. ¦ The town has 3 million inhabitants.
The temple was built in 300 BC. ¦ The temple was built in 300 BCE.
Nov 12, 2020 was the day of the vote. ¦ November 12, 2020 was the day of the vote.
The prize is 6 000 euros this year. ¦ The prize is 6,000 euros this year.
The prize is 6 000 euros this year. ¦ The prize is 6000 euros this year.
The low was -5 degrees at night. ¦ The low was −5 degrees at night.
ห้องนี้มี ๓๐ ที่นั่ง ¦ ห้องนี้มี 30 ที่นั่ง
कमरे में ३० सीटें हैं। ¦ कमरे में 30 सीटें हैं।
في الغرفة ٣٠ مقعدا. ¦ في الغرفة 30 مقعدا.
Take 50 mcg of the drug. ¦ Take 50 µg of the drug.
`);

export const REPORTED: [string, string, string][] = [
  [
    'The result was significant, with p < 0.05 in the trial.',
    'The result was significant, with p > 0.05 in the trial.',
    'sign',
  ],
  ['The package needs node >=17 to run.', 'The package needs node <17 to run.', 'sign'],
  ['Install the package with react ^4 as a peer.', 'Install the package with react ~4 as a peer.', 'sign'],
  ['The loop runs if count == limit holds.', 'The loop runs if count != limit holds.', 'sign'],
  ['The check is ready && armed in code.', 'The check is ready || armed in code.', 'sign'],
  ['Offline mode ✓ in the free plan.', 'Offline mode ✗ in the free plan.', 'sign'],
  ['The bond was rated AA- by the agency.', 'The bond was rated AA+ by the agency.', 'sign'],
  ['The tumour was benign in this case.', 'The tumour was malignant in this case.', 'negation'],
  ['The method is deprecated in this release.', 'The method is supported in this release.', 'negation'],
  ['The ministry confirmed the report.', 'The ministry denied the report.', 'negation'],
  ['The rows are in ascending order.', 'The rows are in descending order.', 'negation'],
  ['Give the drug by the oral route.', 'Give the drug by the intramuscular route.', 'negation'],
  ['The offer is valid until 5 May.', 'The offer is valid from 5 May.', 'negation'],
  ['The dose is at least 5 mg.', 'The dose is up to 5 mg.', 'negation'],
  ['All of the samples were clean.', 'None of the samples were clean.', 'negation'],
  ['The patient was alive after the crash.', 'The patient was dead after the crash.', 'negation'],
  ['Er hat einen Vertrag mit der Stadt.', 'Er hat keinen Vertrag mit der Stadt.', 'negation'],
  ['그는 매일 학교에 간다.', '그는 매일 학교에 안 간다.', 'negation'],
  [
    'He wrote "The Hobbit" in the old town of Oxford.',
    'He wrote "The Silmarillion" in the old town of Oxford.',
    'name',
  ],
  ['The meeting starts at 5:30 am.', 'The meeting starts at 17:30.', 'number'],
  ['The temple was built in 300 BC.', 'The temple was built in 300 AD.', 'unit'],
];
