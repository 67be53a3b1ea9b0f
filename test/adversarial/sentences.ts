/** Made-up statements of many fields, written for this test: each says something that can be said wrongly. */

const FIELDS = {
  news: `
The flood closed 14 roads near Halden on 7 May 2024 and damaged more than 300 houses.
Mayor Ingrid Solberg said on Tuesday that the repairs would cost 2.5 million euros.
The strike at the port of Marston ended yesterday after 11 days of talks.
Police in Tarnow arrested 3 suspects who had not paid for 40 stolen bicycles.
The ferry to Orland was delayed by 90 minutes because the captain did not trust the radar.
Voters in Kestrel Bay approved the new bridge by 52% in the second ballot.
The museum in Lindau reopened in March 2023, three years after the fire.
Reporter Daniel Okafor counted 1,200 marchers in front of the Palace of Justice.
The minister, Clara Weiss, rejected the offer from Brannock Steel last week.
Rescuers found the two climbers alive at 6:40 a.m., about 5 km from the hut.`,
  medicine: `
Adults take 30 mg of velatrine twice a day, and the dose must not exceed 90 mg.
The trial in Uppsala enrolled 412 patients between January 2019 and June 2021.
The vaccine is stored at -20 °C and is used within 6 hours of thawing.
Doctor Elena Petrova found that the tumour had not grown since October.
The rash usually appears on the third day and is not contagious.
Blood pressure fell from 150 to 128 after 8 weeks of treatment with Cardozol.
Children under 12 years may take 5 ml of the syrup before meals.
The test was positive in 4 of 200 samples from the clinic in Porto.
Nurses change the dressing every 48 hours, and never without gloves.
The surgeon, Marcus Lindqvist, removed 1.5 cm of bone from the left knee.`,
  law: `
The court in Antwerp fined Halcyon Shipping $40,000 for failing to report the spill.
The tenant shall give notice within 30 days, and the landlord may not enter without consent.
Judge Amara Diallo ruled on 12 September 2022 that the search was lawful.
Section 14 does not apply to contracts signed before 1 January 2015.
The jury found Peter Holm guilty on two of five counts.
Under the act, employers must keep the records for 7 years.
The appeal of Norvik Energy against Delta Rail was rejected in April 2020.
The seller is liable for defects that appear within 24 months of delivery.
A licence is required for boats longer than 7.5 metres.
The witness never met Sofia Brandt, and she was not in Geneva that night.`,
  manuals: `
Press the red button for 5 seconds until the lamp turns green.
The battery of the Orbis 200 lasts 18 hours and must not be charged below 0 °C.
Tighten the four bolts to 25 Nm before the pump is started.
The printer supports paper of up to 120 g and is not suitable for labels.
Replace the filter every 6 months, or after 500 hours of use.
Set the switch to position 2 to enable the alarm.
The blender made by Kitchenaria has a capacity of 1.8 litres and a weight of 3 kg.
Never open the cover while the fan is running at 3000 rpm.
The warranty of the Lumo Z4 ends 36 months after purchase.
Fill the tank with 10 litres of water, and keep the valve closed.`,
  contracts: `
The supplier delivers 250 units by 15 August 2025 to the warehouse in Trieste.
Payment is due within 14 days, and interest of 4.5% is charged on late payments.
Either party may terminate the agreement with 60 days of notice.
The licence covers 12 users and does not include support on Sundays.
Fenwick Logistics pays Aurora Foods 8,000 euros for each cancelled shipment.
The rent of $1,450 is paid on the first day of each month.
The contract between Oakridge and Tamsin Labs begins on 2025-03-01 and ends on 2027-02-28.
Liability is limited to $2 million unless the damage was caused on purpose.
The consultant must report to Henrik Vogel once a week.
Prices are fixed until December 2026 and exclude taxes of 19%.`,
  finance: `
Revenue rose 8% to $3.4 billion in the second quarter of 2023.
Shares of Meridian Foods closed at 41.20 euros on Friday, 3 cents higher.
The bank in Zurich lowered its forecast for Brazil from 2.1% to 1.7%.
Analyst Priya Raman expects a profit of 75 million dollars next year.
The fund charges a yearly fee of 0.45% and is not open to new investors.
Corvus Capital bought 30% of Silverline in November 2021.
The loan of €500,000 is repaid in 120 instalments.
Inflation in Norway fell to 2.9% last month, below the target of the bank.
The auditor, Thomas Reiter, did not sign the accounts for 2020.
The dividend was raised from 50 to 65 cents per share.`,
  sports: `
Valencia beat Torino 3-1 on Saturday before 45,000 fans.
Anna Kowalski won the 400 metres in 49.8 seconds.
The final between Rovers and Harriers starts at 20:30 in Dublin.
Coach Luis Ferreira will not play his captain in the third match.
The marathon in Oslo was won in 2 hours and 9 minutes.
Jakob Stein scored twice in the last 10 minutes for Bremen.
The club sold Mateo Ruiz to Sporting Lagos for 12 million pounds.
The record of 8.95 m was set in August 1991.
Ten riders were injured in the 17th stage, but none was in danger.
Tickets for the game in Cardiff cost £35 and were sold out within an hour.`,
  chemistry: `
Water boils at 100 °C at a pressure of 1 bar.
The mixture is heated to 65 °C for 40 minutes and must not be stirred.
Add 250 ml of ethanol to 15 g of the salt and cool it slowly.
The compound melts at -38.8 °C and is insoluble in water.
Professor Yuki Tanaka described the reaction in 1987 at the University of Kyoto.
The solution has a pH of 4.5 and turns red after 3 hours.
The catalyst lowers the yield from 92% to 85% above 300 kPa.
Dissolve 2.5 mol of the acid in 1 litre of distilled water.
The crystal is unstable in light and decays within 2 days.
The isotope has a half-life of 5,730 years.`,
  software: `
Version 2.4.1 fixes 17 bugs and requires Node 20.19 or later.
The cache holds 512 MB and is disabled by default.
The server listens on port 8080 and closes idle connections after 30 seconds.
Support for Ubuntu 18.04 ended on 31 May 2023.
Set maxRetries to 5 to avoid error 429 under load.
The patch by Lena Hoffmann was merged on 2024-02-09 and is not in release 3.10.
Uploads over 25 MB are rejected, and passwords are never logged.
The index of Quarry DB is rebuilt every 12 hours.
The API returns 100 rows per page, and the first page is page 0.
Encryption is enabled for all buckets in Frankfurt.`,
  dialogue: `
"I will be at the station at 9 p.m. tomorrow," said Maria, "and not a minute later."
Tom said that he had paid 20 dollars for the lamp at the market in Seville.
I moved to Lisbon 4 years ago, and my sister Nadia never left Prague.
We met Oliver on Sunday, and he did not mention the accident.
My dog weighs 12 kg and is afraid of cats.
Grandma turned 80 in July, and all her 6 children came to Salzburg.
She told Felix that the keys were under the mat, not in the box.
Our flight to Nairobi leaves at 7:15 on Thursday morning.
I can lend you 50 euros today, but I need it back by Monday.
He said Karin always takes her coffee without sugar.`,
  geography: `
Mount Serrat is 2,345 metres high and was first climbed in 1868.
The river Alva flows north for 310 miles and reaches the sea near Port Regis.
The island has 4,800 inhabitants, and no cars are allowed.
The tunnel between Arlen and Bruck is 15 km long and opened on 1 June 2016.
The desert receives less than 60 mm of rain per year.
Lake Ostra lies 420 m above the sea, south of Kalmen.
The capital, Port Louisa, was moved to the coast in the 19th century.
The valley lost a third of its glaciers between 1990 and 2020.
The road from Calder to Minton is closed in January and February.
The region exports 70% of its cheese to Denmark.`,
  history: `
King Aldric died on 3 October 1412, two days before the battle of Harrow Field.
The treaty of Lorne was signed in 1648 by 16 states.
The printer Johann Merz sold the first 200 copies in Leipzig.
The castle was built before 1300 and was never captured.
Queen Isolde accepted the peace that Duke Renard had refused.
The famine of 1846 killed one million people in five years.
The explorer Ines Duarte reached the cape in February 1488 with three ships.
The law of 1833 ended slavery in most colonies, but not in all.
The railway from Bergen to Voss was opened on 11 July 1883.
Emperor Otto defeated Prince Boris at the river Lech.`,
  science: `
The probe passed the moon at a distance of 12,500 km on 14 July 2015.
The telescope, which weighs 6.5 tonnes, is not cooled below -230 °C.
Researchers in Helsinki tracked 38 wolves over six winters.
The star is 11 light years from Earth and twice as hot as the Sun.
The study by Omar Haddad included 5,000 adults and found no effect.
The bird lays 4 eggs in April and migrates to Ghana in September.
The signal increased by 30% after the 2nd pulse.
The bone is 1.9 million years old, older than those from Chad.
The virus survives up to 72 hours on steel, but not on copper.
The lens has a focal length of 50 mm and an opening of 2 inches.`,
  travel: `
The hotel in Ravenna has 64 rooms and costs 95 euros per night.
The bus from Gate 7 leaves every 20 minutes until 11:30 p.m.
Passengers must check in 45 minutes before departure.
The visa for Tunisia is valid for 90 days and cannot be extended.
The walk from the Castle Inn to Blackwater Falls takes 3 hours.
Bags over 23 kg are not accepted on flights to Iceland.
The museum is closed on Mondays, and entry is free for students under 26.
The night train to Vienna departs at 22:05 and arrives at 8:10.
Call +44 20 7946 0958 to book, or write before 5 March.
Breakfast is included, but the spa is not.`,
  education: `
The course starts on 9/16/2024 and has room for 28 students.
Pupils of the 5th grade read 12 books in the first quarter.
Professor Alan Whitmore teaches physics on Wednesdays in room 214.
The exam takes 3 hours, and calculators are not allowed.
The university in Leiden admitted 2,100 students in Q3 2022.
Applications after 30 June are rejected without exception.
The library lends 10 books for 4 weeks and is open until 21:00.
Miriam Katz failed the first test but passed the second one.
The scholarship of $6,000 is paid to all students from Malawi.
Half of the class chose Spanish, and nobody chose Latin.`,
} as const;

/** The statements of each field, in order. */
export const STATEMENTS: readonly (readonly string[])[] = Object.values(FIELDS).map((block) =>
  block.trim().split('\n'),
);
