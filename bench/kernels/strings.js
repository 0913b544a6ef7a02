let text = "";
for (let i = 0; text.length < 1000000; i++) text += "line " + i + ": " + "abc".repeat(i % 3) + "\n";
return text.length;
