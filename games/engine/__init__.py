"""The rules of a hand of stud, without Django: commands in, facts out."""
